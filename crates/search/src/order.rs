//! Which moves to try first: those that were good elsewhere.

use std::hash::{Hash, Hasher};

use rules::Side;

/// The number of moves that are distinguished, for each side.
const SLOTS: usize = 1 << 12;

/// How often a move refuted something, by side and move, whatever the position.
#[derive(Clone, Debug)]
pub(crate) struct History {
    scores: Box<[[i32; SLOTS]; 2]>,
}

/// Scores are halved when one reaches this.
const MOST: i32 = 1 << 24;

/// Above every score of the history.
pub(crate) const KILLER: i32 = 1 << 26;

/// Above every killer.
pub(crate) const KNOWN_BEST: i32 = 1 << 28;

impl History {
    pub(crate) fn new() -> History {
        History {
            scores: Box::new([[0; SLOTS]; 2]),
        }
    }

    pub(crate) fn clear(&mut self) {
        *self.scores = [[0; SLOTS]; 2];
    }

    /// Makes old merits count less.
    pub(crate) fn fade(&mut self) {
        for score in self.scores.as_flattened_mut() {
            *score /= 2;
        }
    }

    #[inline]
    pub(crate) fn score<M: Hash>(&self, side: Side, mv: M) -> i32 {
        self.scores[side.index()][slot(mv)]
    }

    /// The move refuted something.
    #[inline]
    pub(crate) fn reward<M: Hash>(&mut self, side: Side, mv: M, depth: u32) {
        self.add(side, mv, weight(depth));
    }

    /// The move was tried before another one refuted.
    #[inline]
    pub(crate) fn punish<M: Hash>(&mut self, side: Side, mv: M, depth: u32) {
        self.add(side, mv, -weight(depth));
    }

    #[inline]
    fn add<M: Hash>(&mut self, side: Side, mv: M, merit: i32) {
        let score = &mut self.scores[side.index()][slot(mv)];
        *score += merit;
        if score.abs() >= MOST {
            self.fade();
        }
    }
}

/// What happens deep down the tree stands for fewer positions.
fn weight(depth: u32) -> i32 {
    (depth * depth).min(1 << 12) as i32
}

/// Where a move is counted; two moves may rarely share a slot.
#[inline]
fn slot<M: Hash>(mv: M) -> usize {
    let mut fold = Fold(0);
    mv.hash(&mut fold);
    (fold.finish() >> (64 - SLOTS.trailing_zeros())) as usize
}

/// A hash of a few instructions: moves are a few small numbers.
struct Fold(u64);

impl Fold {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Fold {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.add(value.into());
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}

/// The moves of one position on the way down, and what was learned at its height.
#[derive(Clone, Debug)]
pub(crate) struct Ply<M> {
    /// Moves with their scores; those tried are in front.
    pub(crate) moves: Vec<(i32, M)>,
    /// Moves that refuted a sister of this position, the latest first.
    pub(crate) killers: [Option<M>; 2],
    /// The best line from here.
    pub(crate) line: Vec<M>,
}

impl<M: Copy + Eq> Ply<M> {
    pub(crate) fn new() -> Ply<M> {
        Ply {
            moves: Vec::new(),
            killers: [None; 2],
            line: Vec::new(),
        }
    }

    /// The best of the moves from number `tried` on, which it brings to that place.
    /// The first of equals wins, so that the order of the rules decides.
    #[inline]
    pub(crate) fn pick(&mut self, tried: usize) -> Option<M> {
        let rest = self.moves.get(tried..)?;
        let best = rest
            .iter()
            .enumerate()
            .max_by_key(|(index, (score, _))| (*score, std::cmp::Reverse(*index)))?
            .0;
        // Turned rather than swapped: what stays keeps its order.
        self.moves[tried..=tried + best].rotate_right(1);
        Some(self.moves[tried].1)
    }

    pub(crate) fn remember_killer(&mut self, mv: M) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_score_then_by_rule_order() {
        let mut ply = Ply::new();
        ply.moves = vec![(1, 'a'), (7, 'b'), (1, 'c'), (7, 'd'), (0, 'e')];
        let order: String = (0..).map_while(|tried| ply.pick(tried)).collect();
        assert_eq!(order, "bdace");
    }

    #[test]
    fn history_prefers_what_refuted_more() {
        let mut history = History::new();
        history.reward(Side::First, (3u8, 4u8), 5);
        history.reward(Side::First, (4u8, 3u8), 6);
        assert_eq!(history.score(Side::First, (3u8, 4u8)), 25);
        assert_eq!(history.score(Side::First, (4u8, 3u8)), 36);
        assert_eq!(history.score(Side::Second, (4u8, 3u8)), 0);
        for _ in 0..100_000 {
            history.reward(Side::First, (3u8, 4u8), 64);
        }
        assert!((1..MOST).contains(&history.score(Side::First, (3u8, 4u8))));
        for _ in 0..200_000 {
            history.punish(Side::First, (3u8, 4u8), 64);
        }
        assert!((-MOST..0).contains(&history.score(Side::First, (3u8, 4u8))));
    }

    #[test]
    fn the_two_latest_killers_stay() {
        let mut ply = Ply::new();
        for mv in ['a', 'b', 'b', 'c'] {
            ply.remember_killer(mv);
        }
        assert_eq!(ply.killers, [Some('c'), Some('b')]);
    }
}
