//! Moves entered step by step: rows to take off, GIPF-pieces to keep, a piece to push in.

use draw::{Layout, Step, Way};
use gipf::Field;
use gipf_standard::{Ask, Entry, Move, Piece, Point, Points, Position, Row, SIZE, Turn};
use rules::Game;

use super::drawing::{layout, spot};

/// A move as far as it has been entered.
#[derive(Clone)]
struct Path {
    turn: Turn,
    part: Part,
}

/// What has been said of the answer to the turn's question.
#[derive(Clone)]
enum Part {
    /// Nothing.
    Nothing,
    /// Of the GIPF-pieces of a row some stay, and of the others nothing is known yet.
    Keep { kept: Points, left: Points },
    /// The dot from which a piece is pushed.
    Dot(Field),
    /// The dot and the point: only the kind of the piece is missing.
    Way(Entry),
}

impl Path {
    fn new(position: &Position) -> Path {
        Path::from(Turn::new(*position))
    }

    /// What can be said next, and where it leads.
    fn options(&self, layout: &Layout) -> Vec<(Step, Path)> {
        match (self.turn.ask(), &self.part) {
            (Ask::Done(_), _) => Vec::new(),
            (Ask::Row(rows), _) => {
                let option = |row: &Row| {
                    let mut turn = self.turn.clone();
                    turn.choose(row.pieces).ok()?;
                    Some((row_step(layout, row)?, Path::from(turn)))
                };
                rows.iter().filter_map(option).collect()
            }
            (Ask::Keep(_), &Part::Keep { kept, left }) => self.keep_options(layout, kept, left),
            (Ask::Keep(row), _) => self.keep_options(layout, Points::EMPTY, row.gipf),
            (Ask::Push, Part::Nothing | Part::Keep { .. }) => self.dot_options(layout),
            (Ask::Push, &Part::Dot(dot)) => {
                let onto = |entry: Entry| {
                    let step = Step::place(layout, spot(layout, entry.target())?);
                    Some((step, self.onto(entry)?))
                };
                entries_from(dot).filter_map(onto).collect()
            }
            (Ask::Push, &Part::Way(entry)) => Piece::ALL
                .into_iter()
                .filter_map(|piece| Some((kind_step(piece), self.push(entry, piece)?)))
                .collect(),
        }
    }

    /// The next GIPF-piece of a row stays or goes.
    fn keep_options(&self, layout: &Layout, kept: Points, left: Points) -> Vec<(Step, Path)> {
        let Some(point) = left.first() else {
            return Vec::new();
        };
        let left = left & !Points::of(point);
        let then = |kept: Points| {
            if !left.is_empty() {
                let part = Part::Keep { kept, left };
                return Some(Path {
                    turn: self.turn.clone(),
                    part,
                });
            }
            let mut turn = self.turn.clone();
            turn.keep(kept).ok()?;
            Some(Path::from(turn))
        };
        // Pointing at the piece keeps it.
        let step = |verb: &str, spots: Vec<usize>| Step {
            spots,
            label: format!("{verb} {}", point.label()),
            row: None,
        };
        let place = spot(layout, point).into_iter().collect();
        let keep = then(kept | Points::of(point)).map(|path| (step(KEEP, place), path));
        let take = then(kept).map(|path| (step(TAKE, Vec::new()), path));
        keep.into_iter().chain(take).collect()
    }

    /// The dots from which a piece can be pushed.
    fn dot_options(&self, layout: &Layout) -> Vec<(Step, Path)> {
        let dot = |(number, place): (usize, &draw::Spot)| {
            let dot = Field::from_label(&place.name, SIZE)?;
            entries_from(dot).find(|&entry| self.onto(entry).is_some())?;
            let path = Path {
                turn: self.turn.clone(),
                part: Part::Dot(dot),
            };
            Some((Step::place(layout, number), path))
        };
        let dots = layout.spots.iter().enumerate();
        dots.filter(|(_, place)| place.kind == draw::Kind::Dot)
            .filter_map(dot)
            .collect()
    }

    /// The piece is pushed along this line; which kind it is, is asked where there is a choice.
    fn onto(&self, entry: Entry) -> Option<Path> {
        let mut kinds = Piece::ALL.into_iter().filter(|&kind| self.may_bring(kind));
        let (first, second) = (kinds.next()?, kinds.next());
        let pushed = self.push(entry, first)?;
        Some(match second {
            None => pushed,
            Some(_) => Path {
                turn: self.turn.clone(),
                part: Part::Way(entry),
            },
        })
    }

    fn may_bring(&self, kind: Piece) -> bool {
        self.turn.now().may_bring(kind)
    }

    fn push(&self, entry: Entry, piece: Piece) -> Option<Path> {
        let mut turn = self.turn.clone();
        turn.push(entry, piece).ok()?;
        Some(Path::from(turn))
    }

    /// The path along these picks, each a label or the name of a place; `None` if one leads nowhere.
    fn follow(self, layout: &Layout, picks: &[String]) -> Option<Path> {
        picks.iter().try_fold(self, |path, pick| {
            let mut options = path.options(layout).into_iter();
            let named = options.find(|(step, _)| step.is_named(layout, pick));
            named.map(|(_, path)| path)
        })
    }

    /// Puts down every way from here to a move.
    fn collect(&self, layout: &Layout, steps: &mut Vec<Step>, ways: &mut Vec<Way<Move>>) {
        if let Ask::Done(mv) = *self.turn.ask() {
            let steps = steps.clone();
            ways.push(Way { steps, mv });
        }
        for (step, path) in self.options(layout) {
            steps.push(step);
            path.collect(layout, steps, ways);
            steps.pop();
        }
    }
}

impl From<Turn> for Path {
    fn from(turn: Turn) -> Path {
        let part = Part::Nothing;
        Path { turn, part }
    }
}

/// What begins the labels of GIPF-pieces that stay, and of those that go.
const KEEP: &str = "keep";
const TAKE: &str = "take";

fn kind_step(piece: Piece) -> Step {
    let label = match piece {
        Piece::Single => "single piece",
        Piece::Gipf => "GIPF-piece",
    };
    Step {
        spots: Vec::new(),
        label: label.into(),
        row: None,
    }
}

/// A row, from end to end.
fn row_step(layout: &Layout, row: &Row) -> Option<Step> {
    let points: Vec<Point> = row.pieces.collect();
    let (first, last) = (*points.first()?, *points.last()?);
    let ends = (spot(layout, first)?, spot(layout, last)?);
    Some(Step {
        spots: points.iter().filter_map(|&p| spot(layout, p)).collect(),
        label: format!("row {} {}", first.label(), last.label()),
        row: Some(ends),
    })
}

fn entries_from(dot: Field) -> impl Iterator<Item = Entry> {
    Entry::all().filter(move |entry| entry.dot() == dot)
}

/// All ways to enter all moves.
pub(super) fn ways(position: &Position) -> Vec<Way<Move>> {
    let mut ways = Vec::new();
    if position.outcome().is_none() {
        Path::new(position).collect(&layout(), &mut Vec::new(), &mut ways);
    }
    ways
}

/// The move that these picks have begun.
fn begun(position: &Position, picks: &[String]) -> Option<Path> {
    if position.outcome().is_some() {
        return None;
    }
    Path::new(position).follow(&layout(), picks)
}

/// The pieces as they lie after these picks.
pub(super) fn underway(position: &Position, picks: &[String]) -> Option<Position> {
    begun(position, picks).map(|path| *path.turn.now())
}

/// What is to be said after these picks.
pub(super) fn how(position: &Position, picks: &[String]) -> String {
    let Some(path) = begun(position, picks) else {
        return String::new();
    };
    match (path.turn.ask(), &path.part) {
        (Ask::Row(_), _) => "Choose the row to take off first.".into(),
        (Ask::Keep(row), part) => {
            let left = match part {
                Part::Keep { left, .. } => *left,
                _ => row.gipf,
            };
            let point = left.first().map(Point::label).unwrap_or_default();
            format!("Does the GIPF-piece on {point} stay? Choose it to keep it.")
        }
        (Ask::Push, Part::Dot(dot)) => {
            let dot = dot.label(SIZE);
            format!("From {dot}: choose the point to push the piece to.")
        }
        (Ask::Push, Part::Way(entry)) => {
            let point = entry.target().label();
            format!("Which piece is pushed to {point}?")
        }
        (Ask::Push, _) => "Choose a dot, then the point to push the piece to.".into(),
        (Ask::Done(_), _) => String::new(),
    }
}
