//! Forced positions of MMPawns: one move is legal and decides what is written, or none is.

use std::collections::BTreeMap;

use ::mmpawns::{LAST_PLY, Move, Position, Square, goal};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rules::{Game, Outcome, Side, Squares};

use super::cover::{Candidate, cover};
use super::rays::one;
use super::strides::{Invention, Stride, Way, symbol};

/// What stops a pawn that wants to go one way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Obstacle {
    Side,
    Hole,
    Own,
    /// A pawn of the opponent, with this behind it: an edge, a hole, a pawn.
    Other(char),
}

/// What a forced move shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// The only move goes this way from this file, or this row.
    File(usize, Way, u8),
    Row(usize, Way, u8),
    /// It goes to this file.
    Target(usize, u8),
    /// The same for the only answer to it, which keeps the game open.
    AnswerFile(usize, Way, u8),
    AnswerRow(usize, Way, u8),
    AnswerTarget(usize, u8),
    /// Something stops the pawn from going this way.
    Stopped(usize, i8, Obstacle),
    /// The other player has no answer, but an invented one.
    NoAnswer(usize, Invention, i8),
    /// After the jump the pawn could jump again.
    SecondJump(usize),
    /// There is an invented move beside the only legal one.
    Beside(usize, Invention, i8),
    /// The pawn arrives on this file, and that decides.
    Arrives(usize, u8),
    /// The number of the ply gets a second digit.
    TenthHalfMove,
}

/// A position, and a name for what it shows.
pub(super) struct Forced {
    pub(super) name: String,
    pub(super) position: Position,
}

/// How many boards are tried around a move, and how many of them are kept to choose from.
const TRIES: usize = 300;
const KEPT: usize = 4;

/// So often boards are looked for around an invented answer that is the only one.
const ROUNDS: usize = 12;

/// What the dice leave alone: the forced move, and what else must stand where.
struct Core {
    side: Side,
    mv: Move,
    demands: Vec<(Square, char)>,
}

impl Core {
    fn of(side: Side, mv: Move) -> Core {
        let mut demands = vec![(mv.from, symbol(side)), (mv.to, '-')];
        demands.extend(mv.taken().map(|taken| (taken, symbol(!side))));
        Core { side, mv, demands }
    }

    /// The same with more demands, if they do not contradict.
    fn with(mut self, more: &[(Square, char)]) -> Option<Core> {
        for &(square, what) in more {
            match self.demands.iter().find(|(place, _)| *place == square) {
                Some(&(_, there)) if there != what => return None,
                Some(_) => {}
                None => self.demands.push((square, what)),
            }
        }
        Some(self)
    }

    /// A random board on which the move is the only one, if the dice give one.
    fn roll(&self, rng: &mut ChaCha8Rng) -> Option<Position> {
        let mut board = Dice::roll(rng);
        for &(square, what) in &self.demands {
            board.put(square, what);
        }
        let number = 2 * rng.random_range(0..LAST_PLY / 2) + 1 + self.side.index() as u32;
        let position = board.position(number)?;
        let open = position.outcome().is_none();
        (open && position.moves() == [self.mv]).then_some(position)
    }
}

/// Positions with one legal move: every step and jump from every file and row, with
/// everything that can stop a pawn, and after it every only answer and every false one.
pub(super) fn forced(rng: &mut ChaCha8Rng) -> Vec<Forced> {
    let mut candidates = Vec::new();
    // Whether the dice have given a board.
    let mut collect = |core: &Core, rng: &mut ChaCha8Rng, fits: &dyn Fn(&Position) -> bool| {
        let before = candidates.len();
        let boards = (0..TRIES).filter_map(|_| core.roll(rng));
        let boards = boards.filter(|position| {
            let mut next = *position;
            next.play_unchecked(core.mv);
            fits(&next)
        });
        for position in boards.take(KEPT) {
            candidates.push(Candidate {
                shows: shown(&position, core.mv),
                case: (position, Way::of(core.mv)),
            });
        }
        candidates.len() > before
    };
    let all = moves();
    for &(side, mv) in &all {
        collect(&Core::of(side, mv), rng, &|_| true);
        // The same move as the only answer to some other one.
        if let Some(core) = some_core(&all, !side, &Core::of(side, mv).demands, rng) {
            collect(&core, rng, &|next| Stride::Right.moves(next, side) == [mv]);
        }
    }
    for &(side, mv) in all.iter().filter(|(_, mv)| mv.taken().is_some()) {
        // A second jump would be there, but a move is one jump.
        for way in Way::ALL.into_iter().filter(|way| way.jump) {
            let second = way.target(mv.to, side).map(|to| Move { from: mv.to, to });
            let demands = second.and_then(|second| {
                let over = second.taken()?;
                Some([(over, symbol(!side)), (second.to, '-')])
            });
            let core = demands.and_then(|demands| Core::of(side, mv).with(&demands));
            if let Some(core) = core {
                collect(&core, rng, &|_| true);
            }
        }
    }
    for (invention, direction) in Invention::all() {
        for side in Side::BOTH {
            let demands = |from: Square| {
                let (to, mut demands) = invention.demands(side, from, direction)?;
                demands.push((from, symbol(side)));
                Some((to, demands))
            };
            if invention == Invention::JumpOverOwn {
                for (to, demands) in Square::all().filter_map(demands) {
                    // The pawn in front makes the only legal move.
                    let front = demands[0].0;
                    let core = Core::of(side, Move { from: front, to }).with(&demands);
                    if let Some(core) = core {
                        collect(&core, rng, &|_| true);
                    }
                }
            }
            if invention.needs_a_move() {
                continue;
            }
            // A third of the squares will do, if the dice give a board around any of them. Some
            // answers can be the only ones just after the move that makes room for them.
            let mut found = false;
            for round in 0..ROUNDS {
                if found {
                    break;
                }
                let squares = Square::all().filter(|from| from.index() % 3 == round % 3);
                for (_, demands) in squares.filter_map(demands) {
                    let core = match round {
                        0 => some_core(&all, !side, &demands, rng),
                        _ => some_cause(&all, !side, &demands, rng),
                    };
                    if let Some(core) = core {
                        let stuck = |next: &Position| Stride::Right.moves(next, side).is_empty();
                        found |= collect(&core, rng, &stuck);
                    }
                }
            }
        }
    }
    candidates.shuffle(rng);
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    cover(candidates)
        .into_iter()
        .map(|(position, way)| {
            let side = symbol(position.side_to_move()).to_ascii_lowercase();
            let kind = format!("{}-{side}", way.name());
            let number = numbers.entry(kind.clone()).or_default();
            *number += 1;
            Forced {
                name: format!("only-{kind}-{number}"),
                position,
            }
        })
        .collect()
}

/// Every move of every side that stays on the board.
fn moves() -> Vec<(Side, Move)> {
    let ways = Side::BOTH
        .into_iter()
        .flat_map(|side| Way::ALL.map(|way| (side, way)));
    ways.flat_map(|(side, way)| Square::all().map(move |from| (side, way, from)))
        .filter_map(|(side, way, from)| {
            let to = way.target(from, side)?;
            Some((side, Move { from, to }))
        })
        .collect()
}

/// A random move of this side that leaves what is demanded alone.
fn some_core(
    all: &[(Side, Move)],
    side: Side,
    demands: &[(Square, char)],
    rng: &mut ChaCha8Rng,
) -> Option<Core> {
    (0..20).find_map(|_| {
        let (mover, mv) = all[rng.random_range(0..all.len())];
        let apart = |square: Square| demands.iter().all(|(place, _)| *place != square);
        let core = Core::of(mover, mv);
        let free = core.demands.iter().all(|(square, _)| apart(*square));
        (mover == side && free)
            .then(|| core.with(demands))
            .flatten()
    })
}

/// A random move of this side after which what is demanded is there, but not before.
fn some_cause(
    all: &[(Side, Move)],
    side: Side,
    demands: &[(Square, char)],
    rng: &mut ChaCha8Rng,
) -> Option<Core> {
    let moves = all.iter().filter(|(mover, _)| *mover == side);
    let causes = moves.filter_map(|&(_, mv)| {
        let core = Core::of(side, mv);
        let touched = |square: Square| core.demands.iter().any(|(place, _)| *place == square);
        let (there, left): (Vec<_>, Vec<_>) =
            demands.iter().partition(|(square, _)| touched(*square));
        let after = |square| if square == mv.to { symbol(side) } else { '-' };
        let made = |&(square, what): &(Square, char)| after(square) == what;
        let fits = !there.is_empty() && there.iter().all(made);
        fits.then(|| core.with(&left)).flatten()
    });
    let mut causes: Vec<Core> = causes.collect();
    if causes.is_empty() {
        return None;
    }
    Some(causes.swap_remove(rng.random_range(0..causes.len())))
}

/// Pawns and holes at random.
struct Dice {
    pawns: [Squares; 2],
    field: Squares,
}

impl Dice {
    fn roll(rng: &mut ChaCha8Rng) -> Dice {
        let mut board = Dice {
            pawns: [Squares::NONE; 2],
            field: Squares::ALL,
        };
        let (pawns, holes) = (rng.random_range(0..5), rng.random_range(15..90));
        for square in Square::all() {
            let roll = rng.random_range(0..100);
            if roll < 2 * pawns {
                board.put(square, ['A', 'B'][roll % 2]);
            } else if roll < 2 * pawns + holes {
                board.put(square, '*');
            }
        }
        board
    }

    fn put(&mut self, square: Square, what: char) {
        self.field |= one(square);
        for pawns in &mut self.pawns {
            *pawns &= !one(square);
        }
        match what {
            'A' => self.pawns[0] |= one(square),
            'B' => self.pawns[1] |= one(square),
            '*' => self.field ^= one(square),
            _ => {}
        }
    }

    fn position(&self, number: u32) -> Option<Position> {
        Position::new(self.pawns, self.field, number).ok()
    }
}

fn shown(position: &Position, mv: Move) -> Vec<Shown> {
    let side = position.side_to_move();
    let (own, way) = (side.index(), Way::of(mv));
    let mut shown = vec![
        Shown::File(own, way, mv.from.column()),
        Shown::Row(own, way, mv.from.row()),
        Shown::Target(own, mv.to.column()),
    ];
    let stopped = [-1, 0, 1].into_iter().filter_map(|direction| {
        let obstacle = obstacle(position, mv.from, side, direction)?;
        Some(Shown::Stopped(own, direction, obstacle))
    });
    shown.extend(stopped);
    let legal = Stride::Right.moves(position, side).len();
    for (invention, direction) in Invention::all() {
        let seen = Stride::Invents(invention, direction).moves(position, side);
        if invention.needs_a_move() && seen.len() > legal {
            shown.push(Shown::Beside(own, invention, direction));
        }
    }
    let mut next = *position;
    next.play_unchecked(mv);
    let other = (!side).index();
    // Asked of the pawns: there is no legal move any more once one has arrived.
    match Stride::Right.moves(&next, !side)[..] {
        [] => {
            let seen = inventions_in(&next, !side).into_iter();
            shown.extend(seen.map(|(side, what, way)| Shown::NoAnswer(side, what, way)));
        }
        [answer] => shown.extend([
            Shown::AnswerFile(other, Way::of(answer), answer.from.column()),
            Shown::AnswerRow(other, Way::of(answer), answer.from.row()),
            Shown::AnswerTarget(other, answer.to.column()),
        ]),
        _ => {}
    }
    let again = |way: &Way| {
        let second = way.target(mv.to, side).map(|to| Move { from: mv.to, to });
        second.is_some_and(|second| {
            let over = second.taken().map(|over| next.symbol(over));
            over == Some(symbol(!side)) && next.symbol(second.to) == '-'
        })
    };
    if way.jump && Way::ALL.iter().filter(|way| way.jump).any(again) {
        shown.push(Shown::SecondJump(own));
    }
    if next.outcome() == Some(Outcome::Win(side)) {
        shown.push(Shown::Arrives(own, mv.to.column()));
    }
    if position.number() == 9 {
        shown.push(Shown::TenthHalfMove);
    }
    shown
}

/// What stops a pawn of this side from stepping or jumping in this direction.
fn obstacle(position: &Position, from: Square, side: Side, direction: i8) -> Option<Obstacle> {
    let target = |jump| Way { jump, direction }.target(from, side);
    let Some(next) = target(false) else {
        return Some(Obstacle::Side);
    };
    let behind = target(true).map_or('|', |square| position.symbol(square));
    match position.symbol(next) {
        '*' => Some(Obstacle::Hole),
        own if own == symbol(side) => Some(Obstacle::Own),
        other if other == symbol(!side) && behind != '-' => Some(Obstacle::Other(behind)),
        _ => None,
    }
}

/// Positions in which the player to move has no move, so that the game is over, and in
/// which every fault that invents moves sees one.
pub(super) fn without_move(rng: &mut ChaCha8Rng) -> Vec<Position> {
    let mut candidates = Vec::new();
    for (invention, direction) in Invention::all() {
        let squares = Square::all().flat_map(|from| Side::BOTH.map(|side| (side, from)));
        for (side, from) in squares {
            let Some((_, demands)) = invention.demands(side, from, direction) else {
                continue;
            };
            let boards = (0..TRIES / 3).filter_map(|_| {
                let mut board = Dice::roll(rng);
                board.put(from, symbol(side));
                for &(square, what) in &demands {
                    board.put(square, what);
                }
                let number = rng.random_range(1..=LAST_PLY / 2);
                let position = board.position(2 * number - 1 + side.index() as u32)?;
                let arrived = position.pawns(!side) & goal(!side);
                let stuck = Stride::Right.moves(&position, side).is_empty();
                (stuck && arrived.is_empty()).then_some(position)
            });
            if let Some(position) = boards.into_iter().next() {
                candidates.push(Candidate {
                    shows: inventions_in(&position, side),
                    case: position,
                });
            }
        }
    }
    cover(candidates)
}

/// The inventions that see a move of this side.
fn inventions_in(position: &Position, side: Side) -> Vec<(usize, Invention, i8)> {
    Invention::all()
        .into_iter()
        .filter(|(invention, direction)| {
            let stride = Stride::Invents(*invention, *direction);
            !stride.moves(position, side).is_empty()
        })
        .map(|(invention, direction)| (side.index(), invention, direction))
        .collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn one_move_is_legal_or_none() {
        for seed in 0..2 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let positions = forced(&mut rng);
            assert!(positions.len() < 160, "{}", positions.len());
            for Forced { name, position } in positions {
                assert_eq!(position.moves().len(), 1, "{name} {position}");
                assert_eq!(position.outcome(), None, "{name} {position}");
            }
            for position in without_move(&mut rng) {
                let stuck = Outcome::Win(position.side_to_move());
                assert_eq!(position.outcome(), Some(stuck), "{position}");
            }
        }
    }
}
