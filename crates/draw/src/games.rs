//! Scenes of the positions of each game.

use rules::{Game, Side};

use crate::layout::{Ground, Kind, Layout};
use crate::scene::{Scene, Stroke, Trace};

/// One of the things to point at, in order, when a move is entered on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Any of these places will do.
    pub spots: Vec<usize>,
    /// What is chosen, in words.
    pub label: String,
    /// The ends of the row that is chosen, where a row is.
    pub row: Option<(usize, usize)>,
}

impl Step {
    /// A step that is one place.
    pub(crate) fn place(layout: &Layout, spot: usize) -> Step {
        Step {
            spots: vec![spot],
            label: layout.spots[spot].name.clone(),
            row: None,
        }
    }
}

/// A way to enter a move on the board; some moves can be entered in several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<M> {
    /// What to point at; nothing for a pass.
    pub steps: Vec<Step>,
    /// The move that is made so.
    pub mv: M,
}

/// A position that can be drawn.
pub trait Drawable: Game {
    /// The board of this position, without marks.
    fn scene(&self) -> Scene;

    /// What playing this legal move does to the pieces.
    fn trace(&self, mv: Self::Move) -> Trace;

    /// All ways to enter legal moves.
    fn ways(&self) -> Vec<Way<Self::Move>>;

    /// The board after this legal move, with the move marked.
    fn scene_after(&self, mv: Self::Move) -> Scene {
        let mut next = self.clone();
        next.play_unchecked(mv);
        let mut scene = next.scene();
        scene.marks.last = Some(self.trace(mv));
        scene
    }

    /// The places to point at first.
    fn first_steps(&self) -> Vec<usize> {
        let mut spots: Vec<usize> = self
            .ways()
            .into_iter()
            .filter_map(|way| way.steps.into_iter().next())
            .flat_map(|step| step.spots)
            .collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }
}

/// The names of both players.
pub(crate) fn names<G: Game>() -> [&'static str; 2] {
    Side::BOTH.map(G::side_name)
}

impl Drawable for reversi::Position {
    fn scene(&self) -> Scene {
        let pieces = reversi::Square::all()
            .map(|s| {
                Side::BOTH
                    .into_iter()
                    .find(|&side| self.discs(side).contains(s))
            })
            .collect();
        let mut scene = Scene::new(Layout::squares(Ground::Cloth), pieces, names::<Self>());
        let [black, white] = Side::BOTH.map(|side| self.discs(side).len());
        scene.notes.push(format!("Black {black}, White {white}"));
        scene
    }

    fn trace(&self, mv: reversi::Move) -> Trace {
        let Some(square) = mv.square() else {
            return Trace::default();
        };
        Trace {
            stroke: Stroke {
                to: Some(square.index()),
                ..Stroke::default()
            },
            turned: self.board().flips(square).map(|s| s.index()).collect(),
            taken: Vec::new(),
        }
    }

    fn ways(&self) -> Vec<Way<reversi::Move>> {
        let layout = Layout::squares(Ground::Cloth);
        let way = |mv: reversi::Move| Way {
            steps: mv
                .square()
                .map(|square| Step::place(&layout, square.index()))
                .into_iter()
                .collect(),
            mv,
        };
        self.moves().into_iter().map(way).collect()
    }
}

impl Drawable for mmpawns::Position {
    fn scene(&self) -> Scene {
        let mut layout = Layout::squares(Ground::Field);
        for square in mmpawns::Square::all() {
            if !self.field().contains(square) {
                layout.spots[square.index()].kind = Kind::Hole;
            }
        }
        let pieces = mmpawns::Square::all()
            .map(|s| {
                Side::BOTH
                    .into_iter()
                    .find(|&side| self.pawns(side).contains(s))
            })
            .collect();
        let mut scene = Scene::new(layout, pieces, names::<Self>());
        let [a, b] = Side::BOTH.map(|side| self.pawns(side).len());
        scene
            .notes
            .push(format!("A {a}, B {b}; half-move {}", self.number()));
        scene
    }

    fn trace(&self, mv: mmpawns::Move) -> Trace {
        Trace {
            stroke: Stroke {
                from: Some(mv.from.index()),
                to: Some(mv.to.index()),
                value: None,
            },
            turned: Vec::new(),
            taken: mv
                .taken()
                .map(|square| (square.index(), !self.side_to_move()))
                .into_iter()
                .collect(),
        }
    }

    fn ways(&self) -> Vec<Way<mmpawns::Move>> {
        let layout = Layout::squares(Ground::Field);
        let way = |mv: mmpawns::Move| Way {
            steps: [mv.from, mv.to]
                .map(|square| Step::place(&layout, square.index()))
                .into(),
            mv,
        };
        self.moves().into_iter().map(way).collect()
    }
}
