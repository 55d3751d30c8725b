//! What the prover learns from proofs: the patterns that they depend on.

use mmpawns::LAST_HALF_MOVE;

use crate::arena::{Glance, Key};
use crate::board::{Board, MOST_MOVES};
use crate::family::Family;
use crate::pattern::{self, Pattern, Squares};
use crate::prove::Prover;
use crate::race;
use crate::table::Numbers;

/// Half-moves that can be made yet, this one included.
fn left(number: u32) -> u32 {
    (LAST_HALF_MOVE + 1).saturating_sub(number)
}

impl Prover {
    /// Learns what a proof depends on, if the numbers say that it is one.
    pub(crate) fn learn(&mut self, board: Board, key: Key, number: u32, family: &Family) {
        let won = (0..family.count).find(|&i| family.numbers[i].loss == 0);
        match won {
            Some(i) => self.learn_win(board, key, number, (family.boards[i], family.keys[i])),
            None if family.numbers[..family.count].iter().all(|n| n.win == 0) => {
                self.learn_loss(board, key, number, family);
            }
            None => {}
        }
    }

    /// Learns from a move after which the opponent loses.
    pub(crate) fn learn_win(
        &mut self,
        board: Board,
        key: Key,
        number: u32,
        (next, next_key): (Board, Key),
    ) {
        let Some(after) = self.pattern_of(next, next_key, number + 1) else {
            return;
        };
        let mv = Squares::between(board, next);
        let pattern = Pattern::before(after.turned(), mv);
        debug_assert!(pattern.fits(board, self.arena.field(number)));
        self.reasons.put(key, pattern);
        self.reasons.add(pattern, number, [mv.from, mv.to]);
    }

    /// Learns from the moves of a position that are all lost.
    pub(crate) fn learn_loss(&mut self, board: Board, key: Key, number: u32, family: &Family) {
        let mut moves = [(Squares::NONE, Pattern::any(0)); MOST_MOVES];
        for (i, mv) in moves[..family.count].iter_mut().enumerate() {
            let next = family.boards[i];
            let fitting = family.fits[i].and_then(|fit| self.fitting(fit.into(), next, number + 1));
            let known = fitting.or_else(|| self.pattern_of(next, family.keys[i], number + 1));
            let Some(pattern) = known else {
                return;
            };
            *mv = (Squares::between(board, next), pattern.turned());
        }
        let field = self.arena.field(number);
        let pattern = pattern::lost_by_all(board, field, &moves[..family.count]);
        debug_assert!(pattern.fits(board, field));
        self.reasons.put(key, pattern);
    }

    /// What the value of a position depends on, which is proved.
    fn pattern_of(&self, board: Board, key: Key, number: u32) -> Option<Pattern> {
        let field = self.arena.field(number);
        let at_a_glance = || match self.arena.glance(board, number) {
            Glance::Win(0) => Some(pattern::stuck(board)),
            Glance::Win(_) => race::why_wins(board, field),
            Glance::Loss(0) => pattern::arrived(board, field),
            Glance::Loss(_) => race::why_loses(board, field),
            Glance::Draw | Glance::Open => None,
        };
        // Where no game was drawn the win, however it came about, fits into the moves left.
        let forgotten = || (!self.met_draw).then(|| Pattern::only(board, left(number)));
        let known = self.reasons.get(key);
        known.or_else(at_a_glance).or_else(forgotten)
    }

    /// One of the latest patterns, if it still fits here.
    fn fitting(&self, i: usize, board: Board, number: u32) -> Option<Pattern> {
        let pattern = self.reasons.latest(number).get(i);
        self.holds(&pattern, board, number).then_some(pattern)
    }

    /// Whether a position is won as the pattern says.
    fn holds(&self, pattern: &Pattern, board: Board, number: u32) -> bool {
        pattern.length <= left(number) && pattern.fits(board, self.arena.field(number))
    }

    /// After the opponent has been seen to win by one branch, the others that fit the same
    /// pattern are won as well.
    pub(crate) fn match_in(&mut self, family: &mut Family, model: usize, number: u32) {
        let Some(pattern) = self.reasons.get(family.keys[model]) else {
            return;
        };
        let won: Numbers = family.numbers[model];
        for i in 0..family.count {
            if family.numbers[i].decided().is_none()
                && self.holds(&pattern, family.boards[i], number)
            {
                self.reasons.put(family.keys[i], pattern);
                self.table.put(family.keys[i], won, 1);
                family.numbers[i] = won;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use search::Limits;

    use super::*;
    use crate::arena::Arena;
    use crate::board::TOP;
    use crate::fields::{Spread, random_start};
    use crate::reasons::{NOTHING, RECENT};

    /// Who wins by the rules alone: 1 the player to move, 0 nobody, -1 the opponent; looks
    /// at no more than so many positions.
    fn slow(
        arena: &Arena,
        board: Board,
        number: u32,
        known: &mut HashMap<(Board, u32), i32>,
    ) -> Option<i32> {
        let field = arena.field(number);
        if board.is_stuck(field) {
            return Some(1);
        }
        if board.has_arrived() {
            return Some(-1);
        }
        if number > LAST_HALF_MOVE {
            return Some(0);
        }
        if let Some(&value) = known.get(&(board, number)) {
            return Some(value);
        }
        if known.len() > 20_000 {
            return None;
        }
        let mut children = Vec::new();
        board.each_child(field, |child| children.push(child.board));
        let mut best = -1;
        for child in children {
            best = best.max(-slow(arena, child, number + 1, known)?);
            if best == 1 {
                break;
            }
        }
        known.insert((board, number), best);
        Some(best)
    }

    /// Some board that fits.
    fn fill(pattern: &Pattern, field: u64, rng: &mut ChaCha8Rng) -> Option<Board> {
        let (mut own, mut other) = (0, 0);
        for square in (0..64)
            .map(|i| 1u64 << i)
            .filter(|square| field & square != 0)
        {
            let may = [pattern.own, pattern.other, pattern.empty].map(|set| set & square == 0);
            let likely = if may[2] { 0.1 } else { 1.0 };
            if may[0] && square & TOP == 0 && rng.random_bool(likely) {
                own |= square;
            } else if may[1] && rng.random_bool(likely) {
                other |= square;
            }
        }
        let board = Board { own, other };
        (own.count_ones().max(other.count_ones()) <= 8 && pattern.fits(board, field))
            .then_some(board)
    }

    #[test]
    fn whatever_fits_is_won_as_well() {
        let mut checked = 0;
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for seed in 0..30 {
            let spread = [Spread::Anywhere, Spread::Home3][seed as usize % 2];
            let start = random_start(spread, 2 + seed as u32 % 4, seed as u32 % 14, seed);
            let mut prover = Prover::new(1 << 20);
            prover.prove(&start, &Limits::default().with_nodes(3_000));
            for number in 1..=2 {
                for i in 0..RECENT {
                    let pattern = prover.reasons.latest(number).get(i);
                    if pattern == NOTHING {
                        continue;
                    }
                    let field = prover.arena.field(number);
                    let Some(board) = fill(&pattern, field, &mut rng) else {
                        continue;
                    };
                    let last = LAST_HALF_MOVE + 1 - pattern.length;
                    let number = last - (last + number) % 2;
                    let value = slow(&prover.arena, board, number, &mut HashMap::new());
                    if let Some(value) = value {
                        assert_eq!(value, 1, "{pattern:x?} {board:x?} {field:x} {number}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1000, "{checked:?}");
    }
}
