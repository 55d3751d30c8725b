//! Othello positions in which there is something to choose: from every stage of a game, with few
//! and with very many legal moves, and with passes and ends behind one of them. Programs that
//! search, sort their moves or know openings fail here, and not where only one move is legal.

use std::collections::BTreeSet;

use ::reversi::{Board, Position, Square};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side, Squares};

use super::cover::{Candidate, cover};
use super::lines::Forced;
use super::rays::runs;

/// What a position shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Trait {
    /// So many squares are empty, and there is a choice, except for the last square.
    Empty(u32),
    /// So many moves are legal.
    Moves(u32),
    /// One of the moves turns over at least so many discs.
    Turns(u32),
    /// One of the moves turns over runs in at least so many directions.
    Directions(u32),
    /// After one of the moves the opponent must pass, and the game goes on.
    OpponentPasses,
    /// After one of the moves nobody can move, though squares are empty.
    EndsEarly,
    /// One of the moves takes the last disc of the opponent.
    WipesOut,
    /// There has been a pass: the parity of the discs is that of the other player's turn.
    AfterPass(Side),
    /// All of several moves are on the edge.
    OnlyEdges,
    /// All of several moves are next to a corner.
    OnlyBesideCorners,
    /// All of several moves turn over a single disc.
    OnlySingles,
    /// All of several moves turn over more than three.
    OnlyMany,
}

/// Everything that is to be shown.
pub(super) fn wanted() -> Vec<Trait> {
    let mut all = vec![
        Trait::OpponentPasses,
        Trait::EndsEarly,
        Trait::WipesOut,
        Trait::OnlyEdges,
        Trait::OnlyBesideCorners,
        Trait::OnlySingles,
        Trait::OnlyMany,
    ];
    all.extend(Side::BOTH.map(Trait::AfterPass));
    all.extend((1..=60).map(Trait::Empty));
    all.extend((2..=18).map(Trait::Moves));
    all.extend((4..=12).map(Trait::Turns));
    all.extend((3..=6).map(Trait::Directions));
    all
}

/// What a position shows, of everything that is to be shown.
fn shown(position: &Position) -> BTreeSet<Trait> {
    wanted()
        .into_iter()
        .filter(|wanted| wanted.is_shown(position))
        .collect()
}

impl Trait {
    /// Whether a position shows it.
    pub(super) fn is_shown(self, position: &Position) -> bool {
        let board = position.board();
        let moves = board.moves();
        let turned = |square: Square| board.flips(square).len();
        let any = |holds: &dyn Fn(Square) -> bool| moves.into_iter().any(holds);
        let all = |holds: &dyn Fn(Square) -> bool| moves.len() > 1 && moves.into_iter().all(holds);
        let leads_to =
            |holds: &dyn Fn(&Board) -> bool| moves.into_iter().any(|mv| holds(&board.play(mv)));
        let stuck = |board: &Board| board.moves().is_empty();
        let over = |board: &Board| stuck(board) && stuck(&board.pass());
        match self {
            Trait::Empty(empty) => board.empty().len() == empty && moves.len() >= empty.min(2),
            Trait::Moves(count) => moves.len() == count,
            Trait::Turns(count) => any(&|square| turned(square) >= count),
            Trait::Directions(count) => {
                any(&|square| runs(&board, square).count() >= count as usize)
            }
            Trait::OpponentPasses => leads_to(&|next| stuck(next) && !over(next)),
            Trait::EndsEarly => {
                leads_to(&|next| over(next) && !next.own.is_empty() && !next.empty().is_empty())
            }
            Trait::WipesOut => leads_to(&|next| next.own.is_empty()),
            Trait::AfterPass(side) => {
                let blacks = board.empty().len().is_multiple_of(2);
                position.side_to_move() == side
                    && blacks != (side == Side::First)
                    && !moves.is_empty()
            }
            Trait::OnlyEdges => all(&|square| EDGES.contains(square)),
            Trait::OnlyBesideCorners => all(&|square| BESIDE_CORNERS.contains(square)),
            Trait::OnlySingles => all(&|square| turned(square) == 1),
            Trait::OnlyMany => all(&|square| turned(square) > 3),
        }
    }
}

const EDGES: Squares = Squares(0xff81_8181_8181_81ff);
const BESIDE_CORNERS: Squares = Squares(0x42c3_0000_0000_c342);

/// Random games are played until everything has been shown, but never more than these.
const GAMES: usize = 5_000;

/// Positions of random games that between them show everything.
pub(super) fn stages(rng: &mut ChaCha8Rng) -> Vec<Forced> {
    let mut missing: BTreeSet<Trait> = wanted().into_iter().collect();
    let mut candidates = Vec::new();
    for _ in 0..GAMES {
        if missing.is_empty() {
            break;
        }
        let mut position = Position::start();
        while position.outcome().is_none() {
            let is_new = missing.iter().any(|wanted| wanted.is_shown(&position));
            if is_new {
                let shows = shown(&position);
                missing.retain(|wanted| !shows.contains(wanted));
                let shows = shows.into_iter().collect();
                candidates.push(Candidate {
                    case: position,
                    shows,
                });
            }
            let moves = position.moves();
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
    let mut positions = cover(candidates);
    positions.sort_by_key(|position| std::cmp::Reverse(position.board().empty().len()));
    (1..)
        .zip(positions)
        .map(|(number, position)| Forced {
            name: format!("stage-{number}"),
            position,
        })
        .collect()
}

/// More legal moves than in any game, found by climbing from random boards: `1` is to move.
const CROWDED: [&str; 8] = [
    "00000000", "02222120", "02120120", "01100020", "02120210", "02110120", "00222021", "10000000",
];

/// So many moves are legal there.
pub(super) const MOST_MOVES: u32 = 34;

/// That position for both colours; openings with the colours exchanged, which a program that
/// knows the start by heart takes for the usual one; and the four positions after the first move.
pub(super) fn unusual() -> Vec<Forced> {
    let of = |disc: u8| -> Squares {
        let discs = CROWDED.iter().flat_map(|row| row.bytes());
        let squares = Square::all().zip(discs).filter(|(_, other)| *other == disc);
        squares.map(|(square, _)| square).collect()
    };
    let crowded = Board {
        own: of(b'1'),
        other: of(b'2'),
    };
    let start = Position::start();
    let mut all = Vec::new();
    for side in Side::BOTH {
        let colour = Position::side_name(side).to_lowercase();
        // The side that does not begin has its discs where the other usually has them.
        let exchanged = match side {
            Side::First => start.board().pass(),
            Side::Second => start.board(),
        };
        for (name, board) in [("crowded", crowded), ("exchanged-discs", exchanged)] {
            all.push(Forced {
                name: format!("{name}-{colour}"),
                position: Position::new(board, side),
            });
        }
    }
    for mv in start.moves() {
        let mut position = start;
        position.play_unchecked(mv);
        let name = mv
            .square()
            .map_or(String::new(), |square| square.to_string());
        let name = format!("after-{name}");
        all.push(Forced { name, position });
    }
    all
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn the_stages_show_everything_with_any_seed() {
        for seed in 1..4 {
            let stages = stages(&mut ChaCha8Rng::seed_from_u64(seed));
            let seen: BTreeSet<Trait> = stages
                .iter()
                .flat_map(|stage| shown(&stage.position))
                .collect();
            let missing: Vec<Trait> = wanted()
                .into_iter()
                .filter(|one| !seen.contains(one))
                .collect();
            assert_eq!(missing, [], "seed {seed}");
            assert!(stages.len() < 75, "{}", stages.len());
        }
    }

    #[test]
    fn the_crowded_board_has_the_most_moves() {
        let unusual = unusual();
        let crowded = unusual.iter().filter(|one| one.name.starts_with("crowded"));
        let counts: Vec<u32> = crowded
            .map(|one| one.position.board().moves().len())
            .collect();
        assert_eq!(counts, [MOST_MOVES; 2]);
    }
}
