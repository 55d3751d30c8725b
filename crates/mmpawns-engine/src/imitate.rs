//! Proofs used again: a way to win often works as well when the opponent has made another
//! move before, one that does not matter.
//!
//! The proof of a model is followed on a similar board, with the same winning moves
//! against whatever the opponent does there. Where a move fails a short search may find
//! another; if not, the attempt is given up. What was proved until then is kept.

use search::Clock;

use crate::arena::Glance;
use crate::board::Board;
use crate::prove::{Prover, UNIT};
use crate::table::{INFINITE, Numbers};

impl Prover {
    /// Whether the player to move wins `board` the way he wins `model`.
    pub(crate) fn imitate(
        &mut self,
        model: Board,
        board: Board,
        number: u32,
        clock: &mut Clock,
    ) -> bool {
        let start = clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if let Some(won) = self.table.get(key.whole).and_then(Numbers::decided) {
            return won;
        }
        let model_key = self.arena.key(model, number, self.question());
        let field = self.arena.field(number);
        let known = self.table.get(model_key.whole);
        let Some(mv) = known.and_then(Numbers::winning_move) else {
            return false;
        };
        let (Some(model), Some(next)) = (model.after(field, mv), board.after(field, mv)) else {
            return false;
        };
        let won = match self.arena.glance(next, number + 1) {
            Glance::Loss(_) => true,
            Glance::Win(_) | Glance::Draw => false,
            Glance::Open => self.imitate_all(model, next, number + 1, clock),
        };
        if won {
            let numbers = Numbers::won_by(mv);
            self.table.put(key, numbers, clock.nodes() - start);
        }
        won
    }

    /// Whether the player to move is seen to win while that looks no harder than in an
    /// even position.
    fn wins_soon(&mut self, board: Board, number: u32, clock: &mut Clock) -> bool {
        let most = Numbers {
            win: UNIT,
            loss: INFINITE,
        };
        self.search(board, number, most, clock).win == 0
    }

    /// Whether the player to move loses `board` whatever he does, the way he loses
    /// `model`.
    fn imitate_all(&mut self, model: Board, board: Board, number: u32, clock: &mut Clock) -> bool {
        let start = clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if let Some(won) = self.table.get(key.whole).and_then(Numbers::decided) {
            return !won;
        }
        if clock.tick() {
            return false;
        }
        let mut family = self.family(board, number);
        // Nothing is followed before all moves have had a look: one may win.
        for i in 0..family.count {
            family.numbers[i] = self.first_numbers(&family, i, number + 1);
            if family.numbers[i].loss == 0 {
                return false;
            }
        }
        let field = self.arena.field(number);
        let lost = (0..family.count).all(|i| {
            let next = family.boards[i];
            family.numbers[i].win == 0
                || model
                    .after(field, board.move_to(next))
                    .is_some_and(|model| self.imitate(model, next, number + 1, clock))
                || self.wins_soon(next, number + 1, clock)
        });
        if lost {
            self.table.put(key, Numbers::LOST, clock.nodes() - start);
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use mmpawns::Position;
    use rules::Game;
    use search::Limits;

    use super::*;
    use crate::Value;
    use crate::fields::{Spread, random_start};

    /// Follows a whole proof by the rules alone: the move kept where one wins, all moves
    /// where none does. Counts the positions.
    fn follow(prover: &Prover, position: &Position, wins: bool, seen: &mut HashSet<Position>) {
        if let Some(outcome) = position.outcome() {
            let sign = outcome.sign_for(position.side_to_move());
            assert_eq!(sign > 0, wins, "{position}");
            return;
        }
        let (board, number) = (Board::of(position), position.number());
        match prover.arena.glance(board, number) {
            Glance::Open => {}
            glance => return assert_eq!(matches!(glance, Glance::Win(_)), wins, "{position}"),
        }
        if !seen.insert(*position) {
            return;
        }
        let key = prover.arena.key(board, number, prover.question());
        let numbers = prover.table.get(key.whole).expect("a part of the proof");
        assert_eq!(numbers.decided(), Some(wins), "{position}");
        let kept = numbers.winning_move();
        assert_eq!(kept.is_some(), wins, "{position}");
        let field = prover.arena.field(number);
        board.each_child(field, |child| {
            let mv = child.to_move(position.side_to_move());
            if !wins || kept == Some([1 << child.from, 1 << child.to]) {
                let mut next = *position;
                next.play_unchecked(mv);
                follow(prover, &next, !wins, seen);
            }
        });
    }

    #[test]
    fn every_proof_is_complete() {
        let mut prover = Prover::new(64 << 20);
        let mut steps = 0;
        for seed in 0..60 {
            let start = random_start(Spread::Home2, 3 + seed as u32 % 3, seed as u32 % 11, seed);
            let limits = Limits::default().with_nodes(30_000);
            let Some(value) = prover.prove(&start, &limits) else {
                continue;
            };
            let mut seen = HashSet::new();
            follow(&prover, &start, value == Value::Win, &mut seen);
            steps += seen.len();
        }
        assert!(steps > 10_000, "{steps}");
    }
}
