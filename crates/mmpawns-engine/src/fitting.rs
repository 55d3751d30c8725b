//! The latest patterns tried on all moves of a position at once.

use crate::board::{Board, MOST_MOVES};
use crate::family::{LANES, Lanes};
use crate::reasons::Recent;

/// The number of a pattern that fits.
pub(crate) type Fit = u16;

/// Patterns that are tried on the moves of one position.
const MOST_NEAR: usize = 64;

/// The positions after moves: pawns of both players and empty squares, eight to a group.
struct Moves {
    groups: [[Lanes; 3]; MOST_MOVES / LANES],
    count: usize,
}

impl Moves {
    fn new(boards: &[Board], field: u64) -> Moves {
        // Where there is no move every square is everything: nothing fits but what fits
        // anything.
        let mut groups = [[[!0; LANES]; 3]; MOST_MOVES / LANES];
        for (i, board) in boards.iter().enumerate() {
            let sets = [board.own, board.other, board.free(field)];
            for (lanes, set) in groups[i / LANES].iter_mut().zip(sets) {
                lanes[i % LANES] = set;
            }
        }
        Moves {
            groups,
            count: boards.len(),
        }
    }
}

/// What to look for, and where.
pub(crate) struct Search<'a> {
    pub(crate) latest: &'a Recent,
    /// The board before the moves, seen by the opponent of the mover, as all are.
    pub(crate) before: Board,
    pub(crate) boards: &'a [Board],
    pub(crate) field: u64,
    /// Half-moves that the game can last.
    pub(crate) left: u32,
}

impl Search<'_> {
    /// For each move a pattern that fits after it, if any does.
    pub(crate) fn plain(&self) -> [Option<Fit>; MOST_MOVES] {
        let near = |block: &[Lanes; 3], sets: [u64; 3]| {
            zeros(std::array::from_fn(|i| {
                (0..3).fold(0, |far, k| {
                    let wrong = block[k][i] & sets[k];
                    far | wrong & wrong.wrapping_sub(1)
                })
            }))
        };
        let fits = |sets: [u64; 3], group: &[Lanes; 3]| {
            zeros(std::array::from_fn(|i| {
                (0..3).fold(0, |wrong, k| wrong | sets[k] & group[k][i])
            }))
        };
        self.find(near, fits)
    }

    /// The same with wide instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    pub(crate) fn wide(&self) -> [Option<Fit>; MOST_MOVES] {
        use std::arch::x86_64::{
            __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_or_si512, _mm512_set1_epi64,
            _mm512_testn_epi64_mask,
        };
        // SAFETY: eight words either way.
        let load = |lanes: &Lanes| unsafe { std::mem::transmute::<Lanes, __m512i>(*lanes) };
        let all = |set: u64| _mm512_set1_epi64(set as i64);
        let near = |block: &[Lanes; 3], sets: [u64; 3]| {
            let more = |k: usize| {
                let wrong = _mm512_and_si512(load(&block[k]), all(sets[k]));
                _mm512_and_si512(wrong, _mm512_add_epi64(wrong, all(!0)))
            };
            let far = _mm512_or_si512(_mm512_or_si512(more(0), more(1)), more(2));
            u32::from(_mm512_testn_epi64_mask(far, far))
        };
        let fits = |sets: [u64; 3], group: &[Lanes; 3]| {
            let wrong = |k: usize| _mm512_and_si512(load(&group[k]), all(sets[k]));
            let wrong = _mm512_or_si512(_mm512_or_si512(wrong(0), wrong(1)), wrong(2));
            u32::from(_mm512_testn_epi64_mask(wrong, wrong))
        };
        self.find(near, fits)
    }

    /// `near` says which patterns of eight have at most one thing of each kind wrong with
    /// these sets: a move leaves one square, comes to another, and takes a pawn at most.
    /// `fits` says which groups of eight sets fit a pattern.
    #[inline(always)]
    fn find(
        &self,
        near: impl Fn(&[Lanes; 3], [u64; 3]) -> u32,
        fits: impl Fn([u64; 3], &[Lanes; 3]) -> u32,
    ) -> [Option<Fit>; MOST_MOVES] {
        let mut found = [None; MOST_MOVES];
        let moves = Moves::new(self.boards, self.field);
        let before = [
            self.before.own,
            self.before.other,
            self.before.free(self.field),
        ];
        let mut rest = MOST_NEAR;
        for (block, sets) in self.latest.blocks().iter().enumerate() {
            let mut candidates = near(sets, before);
            while candidates != 0 && rest > 0 {
                rest -= 1;
                let i = block * LANES + candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                self.try_on(i, &moves, &fits, |m| found[m] = Some(i as Fit));
            }
        }
        found
    }

    /// Calls `visit` with the moves after which a pattern fits.
    #[inline(always)]
    fn try_on(
        &self,
        i: usize,
        moves: &Moves,
        fits: impl Fn([u64; 3], &[Lanes; 3]) -> u32,
        mut visit: impl FnMut(usize),
    ) {
        let pattern = self.latest.get(i);
        if pattern.length > self.left {
            return;
        }
        for start in (0..moves.count).step_by(LANES) {
            let mut set = fits(pattern.sets(), &moves.groups[start / LANES]);
            while set != 0 {
                let m = start + set.trailing_zeros() as usize;
                set &= set - 1;
                if m < moves.count {
                    visit(m);
                }
            }
        }
    }
}

/// One bit for each lane that is zero.
fn zeros(lanes: Lanes) -> u32 {
    (0..LANES).fold(0, |bits, i| bits | u32::from(lanes[i] == 0) << i)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::fields::{Spread, random_start};
    use crate::pattern::Pattern;

    /// A pattern that fits this board, and asks for about every fourth thing.
    fn some_pattern(board: Board, rng: &mut ChaCha8Rng) -> Pattern {
        let all = Pattern::only(board, 0);
        let mut some = || rng.random::<u64>() & rng.random::<u64>();
        Pattern {
            own: all.own & some(),
            other: all.other & some(),
            empty: all.empty & some(),
            length: rng.random_range(0..20),
        }
    }

    #[test]
    fn what_fits_is_found() {
        let (mut fitting, mut tried) = (0, 0);
        for seed in 0..500 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let start = random_start(Spread::Anywhere, 5, 5, seed);
            let (board, field) = (Board::of(&start), start.field().0);
            let mut boards = Vec::new();
            board.each_child(field, |child| boards.push(child.board));
            let field = crate::board::flip(field);
            let mut latest = Recent::new();
            for _ in 0..6 {
                let board = boards[rng.random_range(0..boards.len())];
                latest.add(some_pattern(board, &mut rng), [1, 2]);
            }
            let search = Search {
                latest: &latest,
                before: Board::turned(board.own, board.other),
                boards: &boards,
                field,
                left: 10,
            };
            let plain = search.plain();
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("bmi2") {
                // SAFETY: the processor was asked.
                assert_eq!(unsafe { search.wide() }, plain, "{start}");
            }
            for (board, found) in boards.iter().zip(plain) {
                let fits = |i: usize| {
                    let pattern = latest.get(i);
                    pattern.length <= 10 && pattern.fits(*board, field)
                };
                let any = (0..MOST_NEAR).any(fits);
                assert_eq!(found.is_some(), any, "{start}");
                assert!(found.is_none_or(|i| fits(i.into())), "{start}");
                fitting += u32::from(any);
                tried += 1;
            }
        }
        assert!(
            fitting > 1000 && tried - fitting > 1000,
            "{fitting} of {tried}"
        );
    }
}
