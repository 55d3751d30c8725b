//! Child batches: the static evaluation of all children of a position, eight at a time.
//!
//! The same steps on eight boards become vector instructions where the processor has
//! them; [`Arena::judge`] and [`eval::estimate`](crate::eval::estimate) are the plain
//! twins.

use isa::{Isa, Kernel, Set};
use mmpawns::LAST_PLY;
use search::proof_number::ProofNumbers;

use crate::arena::{Arena, Key};
use crate::board::{BOTTOM, Board, MOST_MOVES, TOP, flip, up, up_all};
use crate::eval::Estimator;
use crate::proof_table::ProofTable;
use crate::race;

/// Boards that are looked at together.
pub(crate) const LANES: usize = 8;

/// The same board set for each of several moves.
pub(crate) type Lanes = [u64; LANES];

/// The positions after each move, in the order of [`Board::each_child`].
pub(crate) struct ChildBatch {
    pub(crate) boards: [Board; MOST_MOVES],
    pub(crate) keys: [Key; MOST_MOVES],
    /// The static evaluation for the player to move, who is the opponent.
    pub(crate) estimates: [i32; MOST_MOVES],
    /// Squares that the opponent can step to.
    pub(crate) steps: [u8; MOST_MOVES],
    /// Their proof numbers; the prover fills them in.
    pub(crate) numbers: [ProofNumbers; MOST_MOVES],
    /// One bit for each move after which something may be decided.
    pub(crate) sharp: u32,
    /// One bit for each move after which the table may know more.
    pub(crate) known: u32,
    pub(crate) count: usize,
}

/// Which moves to look at, and for whom.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) board: Board,
    /// Of the ply to be played.
    pub(crate) number: u32,
    /// What is to be proved, as part of the keys.
    pub(crate) question: u64,
    pub(crate) table: &'a ProofTable,
}

impl Kernel for Asked<'_> {
    type Output = ChildBatch;
    // AVX-512 is for counting the bits of eight boards at once.
    const SETS: &'static [Set] = &[Set::Avx2, Set::Avx512Popcnt];

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> ChildBatch {
        ChildBatch::gather(self)
    }
}

impl ChildBatch {
    /// Looks at all moves.
    #[inline(always)]
    fn gather(asked: Asked) -> ChildBatch {
        let Asked {
            arena,
            board,
            number,
            question,
            table,
        } = asked;
        let field = arena.field(number + 1);
        let mut batch = ChildBatch {
            boards: [board; MOST_MOVES],
            keys: [Key::default(); MOST_MOVES],
            estimates: [0; MOST_MOVES],
            steps: [0; MOST_MOVES],
            numbers: [ProofNumbers::PROVEN; MOST_MOVES],
            sharp: 0,
            known: 0,
            count: 0,
        };
        let estimator = Estimator::new(board, field);
        let keys = arena.keys_after_steps(board, number + 1, question);
        table.expect(keys.of(Board::turned(board.own, board.other)));
        let count = &mut batch.count;
        let free = board.free(arena.field(number));
        let ahead = up(board.own);
        let (own, other) = (flip(board.other), flip(board.own));
        for (direction, back) in [(0, 9u8), (1, 8), (2, 7)] {
            let mut jumps = up(ahead[direction] & board.other)[direction] & free;
            while jumps != 0 {
                let to = jumps.trailing_zeros() as u8;
                jumps &= jumps - 1;
                let (over, from) = (to + back, to + 2 * back);
                let after = Board {
                    own: own ^ 1 << (over ^ 56),
                    other: other ^ 1 << (to ^ 56) ^ 1 << (from ^ 56),
                };
                batch.boards[*count] = after;
                batch.keys[*count] = arena.key(after, number + 1, question);
                batch.estimates[*count] = estimator.after(from, to, Some(over));
                *count += 1;
            }
        }
        for (direction, back) in [(1, 8u8), (0, 9), (2, 7)] {
            let mut steps = ahead[direction] & free;
            while steps != 0 {
                let to = steps.trailing_zeros() as u8;
                steps &= steps - 1;
                let from = to + back;
                let after = Board {
                    own,
                    other: other ^ 1 << (to ^ 56) ^ 1 << (from ^ 56),
                };
                batch.boards[*count] = after;
                batch.keys[*count] = keys.of(after);
                batch.estimates[*count] = estimator.after(from, to, None);
                *count += 1;
            }
        }
        let all = batch.count;
        if number >= LAST_PLY {
            batch.sharp = !0;
        }
        let mut start = 0;
        while start < all {
            let mut own = [0; LANES];
            let mut other = [0; LANES];
            for (lane, board) in batch.boards[start..all].iter().take(LANES).enumerate() {
                own[lane] = board.own;
                other[lane] = board.other;
            }
            let safe = [
                race::safe_squares(&own, &other, field, true),
                race::safe_squares(&other.map(flip), &own.map(flip), flip(field), false),
            ];
            let sharp = decided(&own, &other, field, &safe);
            batch.sharp |= (sharp & 0xff) << start;
            if start == 0 {
                // By now the map of keys seen has come, and what is asked for now will
                // come while the rest is counted.
                for (i, &key) in batch.keys[..all].iter().enumerate() {
                    batch.known |= u32::from(table.ask(key)) << i;
                }
            }
            estimator.add(
                [&own, &other],
                &safe,
                &mut batch.estimates[start..],
                &mut batch.steps[start..],
            );
            start += LANES;
        }
        batch
    }
}

/// Lanes in which the player to move may be stuck, the opponent has arrived, a pawn of
/// either can run to the edge safely, or somebody has only one left, which is safe anyway.
#[inline(always)]
fn decided(own: &Lanes, other: &Lanes, field: u64, safe: &[Lanes; 2]) -> u32 {
    let mut over = [0; LANES];
    for i in 0..LANES {
        let steps = up_all(own[i]) & field & !(own[i] | other[i]);
        let lone = [own[i], other[i]].map(|pawns| pawns & pawns.wrapping_sub(1) == 0);
        over[i] = u64::from(steps == 0 || lone[0] || lone[1])
            | other[i] & BOTTOM
            | (safe[0][i] | safe[1][i]) & TOP;
    }
    let mut bits = 0;
    for (i, &lane) in over.iter().enumerate() {
        bits |= u32::from(lane != 0) << i;
    }
    bits
}

#[cfg(test)]
mod tests {
    use isa::Available;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::*;
    use crate::arena::Judgement;
    use crate::eval;
    use crate::fields::{Spread, random_start};

    /// Every child is what the plain functions say, with and without vector instructions.
    #[track_caller]
    fn check(position: &mmpawns::Position, table: &ProofTable, isa: Available) -> usize {
        let arena = Arena::of(position);
        let (board, number) = (Board::of(position), position.number());
        let asked = Asked {
            arena: &arena,
            board,
            number,
            question: 1,
            table,
        };
        let batch = isa.call(asked);
        let mut count = 0;
        let mut decided = 0;
        board.each_child(arena.field(number), |child| {
            assert_eq!(batch.boards[count], child.board, "{position}");
            let key = arena.key(child.board, number + 1, 1);
            assert_eq!(batch.keys[count], key, "{position}");
            let estimate = eval::estimate(child.board, arena.field(number + 1));
            assert_eq!(batch.estimates[count], estimate, "{position}");
            let judged = arena.judge(child.board, number + 1);
            let sharp = batch.sharp >> count & 1 != 0;
            assert!(sharp || judged == Judgement::Open, "{position}: {judged:?}");
            decided += usize::from(judged != Judgement::Open);
            count += 1;
        });
        assert_eq!(batch.count, count);
        decided
    }

    #[test]
    fn the_plain_twins_agree() {
        let table = ProofTable::new(1 << 10);
        let mut decided = 0;
        for seed in 0..600 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let spread = Spread::ALL[seed as usize % 3];
            let pawns = rng.random_range(1..=8);
            let mut position = random_start(spread, pawns, rng.random_range(0..=10), seed);
            while position.outcome().is_none() {
                for isa in Available::all() {
                    decided += check(&position, &table, isa);
                }
                let moves = position.moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(decided > 1000, "{decided}");
    }
}
