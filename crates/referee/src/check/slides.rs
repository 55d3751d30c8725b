//! Slides and removals of GIPF: every way in with every number of stones in the way, and
//! rows on every line of the board.

use std::fmt::Write;

use ::gipf::{Geometry, Position, Setup, Variant, text};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::cover::{Candidate, cover};

/// A name for a case, and the commands of it.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) name: String,
    pub(super) input: String,
}

/// The directions of a push, as seen when columns are drawn upright.
const DIRECTIONS: [(i8, i8, &str); 6] = [
    (1, 0, "right-down"),
    (1, 1, "right-up"),
    (0, 1, "down"),
    (-1, 0, "left-up"),
    (-1, -1, "left-down"),
    (0, -1, "up"),
];

/// Sessions for each direction: from every dot, over one stone, over two, and so on
/// until the line is full; on large boards only over the last two of these numbers.
pub(super) fn slides() -> Vec<Session> {
    let groups = [("slide", 2..=4), ("slide-far", 5..=7)].into_iter();
    let sessions = groups.flat_map(|(kind, sizes)| {
        DIRECTIONS.map(|(columns, rows, name)| {
            let mut input = String::new();
            for size in sizes.clone() {
                let last = if size > 4 { 2 } else { usize::MAX };
                slides_of(size, (columns, rows), last, &mut input);
            }
            let name = format!("{kind}-{name}");
            Session { name, input }
        })
    });
    sessions.collect()
}

fn slides_of(size: u8, direction: (i8, i8), last: usize, input: &mut String) {
    // Rows are as long as the board: none arises.
    let Ok(variant) = Variant::new(size, 2 * size - 1, 30, 30) else {
        return;
    };
    let geometry = Geometry::of(size);
    for (number, entry) in geometry.entries().iter().enumerate() {
        let first = geometry.field(entry.path()[0]);
        let delta = (
            first.column as i8 - entry.dot.column as i8,
            first.row as i8 - entry.dot.row as i8,
        );
        if delta != direction {
            continue;
        }
        let all = entry.path().len();
        for stones in all.saturating_sub(last - 1).max(1)..=all {
            let mut sets = [0_u128; 2];
            for (place, point) in entry.path()[..stones].iter().enumerate() {
                // Two of a kind, so that a stone that stays shows.
                sets[(place / 2 + stones + number) % 2] |= 1 << point;
            }
            let setup = Setup {
                variant,
                reserves: [9, 9],
                side: Side::BOTH[(stones + number) % 2],
                stones: sets,
            };
            let Ok(position) = Position::try_from(setup) else {
                continue;
            };
            let (dot, target) = (entry.dot.label(size), first.label(size));
            let _ = write!(
                input,
                "LOAD_GAME_BOARD\n{}DO_MOVE {dot}-{target}\nPRINT_GAME_BOARD\n",
                text::print(&position)
            );
        }
    }
}

/// What a move that takes rows shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// A row of the mover, or of the opponent, on this line of this board.
    Line(u8, bool, usize),
    /// A row longer than it needs to be.
    Long(u8, bool),
    /// So many stones of this colour went with a row of the mover, or of the opponent.
    Taken(u8, bool, Side, u16),
}

/// Random boards to choose from, for each variant.
const BOARDS: usize = 1500;

/// One session for the rows of either player on boards of each size.
pub(super) fn removals() -> Vec<Session> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut sessions = Vec::new();
    for (size, run) in [(2, 2), (3, 3), (4, 3), (4, 4)] {
        let Ok(variant) = Variant::new(size, run, 18, 18) else {
            continue;
        };
        for own in [true, false] {
            let mut candidates = Vec::new();
            for _ in 0..BOARDS {
                let Some(position) = random_board(variant, &mut rng) else {
                    continue;
                };
                for mv in position.moves() {
                    let shows = shown(&position, mv, own);
                    if !shows.is_empty() {
                        let case = (position, position.move_text(mv));
                        candidates.push(Candidate { case, shows });
                    }
                }
            }
            let mut input = String::new();
            for (position, mv) in cover(candidates) {
                let _ = write!(
                    input,
                    "LOAD_GAME_BOARD\n{}DO_MOVE {mv}\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n",
                    text::print(&position)
                );
            }
            let whose = if own { "own" } else { "other" };
            let name = format!("remove-{whose}-{size}-{run}");
            sessions.push(Session { name, input });
        }
    }
    sessions
}

/// Pushes that make two rows of one colour at once, in one stretch: one in front, and one
/// where the last stone that is pushed closes a gap.
pub(super) fn double_rows() -> Session {
    let mut input = String::new();
    for (size, run) in [(3_u8, 2_u8), (4, 3)] {
        let Ok(variant) = Variant::new(size, run, 18, 18) else {
            continue;
        };
        let geometry = Geometry::of(size);
        let longest = usize::from(2 * size - 1);
        let entries = geometry.entries().iter();
        for entry in entries.filter(|entry| entry.path().len() == longest) {
            for owner in Side::BOTH {
                let mut stones = [0_u128; 2];
                let run = usize::from(run);
                for (place, point) in entry.path().iter().enumerate() {
                    if place == 2 * run - 1 {
                        continue; // The gap.
                    }
                    let side = if place == run - 1 { !owner } else { owner };
                    stones[side.index()] |= 1 << point;
                }
                let setup = Setup {
                    variant,
                    reserves: [3, 3],
                    side: owner,
                    stones,
                };
                let Ok(position) = Position::try_from(setup) else {
                    continue;
                };
                let target = geometry.field(entry.path()[0]).label(size);
                let _ = write!(
                    input,
                    "LOAD_GAME_BOARD\n{}DO_MOVE {}-{target}\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n",
                    text::print(&position),
                    entry.dot.label(size)
                );
            }
        }
    }
    let name = "remove-two-runs-of-a-stretch".into();
    Session { name, input }
}

/// A board with stones at random and no row, if the dice give one.
fn random_board(variant: Variant, rng: &mut ChaCha8Rng) -> Option<Position> {
    let geometry = Geometry::of(variant.size());
    let mut stones = [0_u128; 2];
    let share = rng.random_range(30..75);
    for point in 0..geometry.points() {
        if rng.random_range(0..100) < share {
            stones[rng.random_range(0..2)] |= 1 << point;
        }
    }
    let setup = Setup {
        variant,
        reserves: [3, 3],
        side: Side::BOTH[rng.random_range(0..2)],
        stones,
    };
    Position::try_from(setup).ok()
}

/// What a move shows that takes one row, of the mover or of the opponent.
fn shown(position: &Position, mv: ::gipf::Move, own: bool) -> Vec<Shown> {
    let size = position.variant().size();
    let geometry = position.geometry();
    let mover = position.side_to_move();
    let owner = if own { mover } else { !mover };
    let (before, after) = (pushed(position, mv), {
        let mut next = *position;
        next.play_unchecked(mv);
        next
    });
    let gone = |side: Side| before[side.index()] & !after.stones(side);
    let all = gone(Side::First) | gone(Side::Second);
    // The line that holds everything that is gone: then it was one row.
    let line = geometry.lines().iter().position(|line| {
        let points = line.iter().fold(0_u128, |set, point| set | 1 << point);
        all != 0 && all & !points == 0
    });
    let (Some(line), true) = (line, gone(owner).count_ones() > 1) else {
        return Vec::new();
    };
    let points = &geometry.lines()[line];
    let longest = |side: Side| {
        let runs = points.split(|point| before[side.index()] >> point & 1 == 0);
        runs.map(<[u8]>::len).max().unwrap_or(0)
    };
    let run = usize::from(position.variant().run());
    if longest(owner) < run || longest(!owner) >= run {
        return Vec::new();
    }
    let mut shown = vec![Shown::Line(size, own, line)];
    shown.extend((longest(owner) > run).then_some(Shown::Long(size, own)));
    for side in Side::BOTH {
        let count = gone(side).count_ones() as u16;
        shown.push(Shown::Taken(size, own, side, count));
    }
    shown
}

/// The stones after the push of a move, before anything is taken.
pub(super) fn pushed(position: &Position, mv: ::gipf::Move) -> [u128; 2] {
    let mut stones = Side::BOTH.map(|side| position.stones(side));
    let mut carried = Some(position.side_to_move());
    for point in position.geometry().entries()[usize::from(mv.entry())].path() {
        let Some(side) = carried else {
            break;
        };
        carried = position.stone(*point);
        for stones in &mut stones {
            *stones &= !(1 << point);
        }
        stones[side.index()] |= 1 << point;
    }
    stones
}
