//! The latest patterns tried on all moves of a position at once.

use crate::board::{Board, MOST_MOVES};
#[cfg(target_arch = "x86_64")]
use crate::family::{LANES, Lanes};
use crate::reasons::{RECENT, Recent};

/// The number of a pattern that fits.
pub(crate) type Fit = u16;

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
    /// For each move a pattern that fits after it, if any does. A move leaves one square,
    /// comes to another, and takes one pawn at most: where more than one thing of a kind
    /// is wrong before, it is wrong after every move.
    pub(crate) fn plain(&self) -> [Option<Fit>; MOST_MOVES] {
        let mut found = [None; MOST_MOVES];
        let before = [
            self.before.own,
            self.before.other,
            self.before.free(self.field),
        ];
        for i in 0..RECENT {
            let pattern = self.latest.get(i);
            let far = pattern.sets().iter().zip(before).any(|(forbidden, set)| {
                let wrong = forbidden & set;
                wrong & wrong.wrapping_sub(1) != 0
            });
            if far || pattern.length > self.left {
                continue;
            }
            for (found, &board) in found.iter_mut().zip(self.boards) {
                if pattern.fits(board, self.field) {
                    *found = Some(i as Fit);
                }
            }
        }
        found
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
        let mut found = [None; MOST_MOVES];
        let moves = groups(self.boards, self.field);
        let before = [
            self.before.own,
            self.before.other,
            self.before.free(self.field),
        ]
        .map(all);
        for (first, block) in self.latest.blocks().iter().enumerate() {
            let more = |k: usize| {
                let wrong = _mm512_and_si512(load(&block[k]), before[k]);
                _mm512_and_si512(wrong, _mm512_add_epi64(wrong, all(!0)))
            };
            let far = _mm512_or_si512(_mm512_or_si512(more(0), more(1)), more(2));
            let mut near = _mm512_testn_epi64_mask(far, far);
            while near != 0 {
                let i = first * LANES + near.trailing_zeros() as usize;
                near &= near - 1;
                let pattern = self.latest.get(i);
                if pattern.length > self.left {
                    continue;
                }
                let sets = pattern.sets().map(all);
                for start in (0..self.boards.len()).step_by(LANES) {
                    let group = &moves[start / LANES];
                    let wrong = |k: usize| _mm512_and_si512(load(&group[k]), sets[k]);
                    let wrong = _mm512_or_si512(_mm512_or_si512(wrong(0), wrong(1)), wrong(2));
                    let mut fits = _mm512_testn_epi64_mask(wrong, wrong);
                    while fits != 0 {
                        found[start + fits.trailing_zeros() as usize] = Some(i as Fit);
                        fits &= fits - 1;
                    }
                }
            }
        }
        found
    }
}

/// The pawns of both players and the empty squares after each move, eight to a group.
/// Where there is no move left all squares are everything, which hardly anything fits.
#[cfg(target_arch = "x86_64")]
fn groups(boards: &[Board], field: u64) -> [[Lanes; 3]; MOST_MOVES / LANES] {
    let mut groups = [[[!0; LANES]; 3]; MOST_MOVES / LANES];
    for (i, board) in boards.iter().enumerate() {
        let sets = [board.own, board.other, board.free(field)];
        for (lanes, set) in groups[i / LANES].iter_mut().zip(sets) {
            lanes[i % LANES] = set;
        }
    }
    groups
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
                let any = (0..RECENT).any(fits);
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
