//! Proof simulation: the winning moves of one position often win as well after another move of
//! the opponent, one that does not matter.
//!
//! The proof of a model is followed on a similar board, with the same winning moves
//! against whatever the opponent plays there. Where a move fails a short search may find
//! another; if not, the simulation is given up. What was proved until then is kept.

use search::Clock;
use search::proof_number::{INFINITE, ProofNumbers};

use crate::arena::Judgement;
use crate::board::Board;
use crate::proof_table::{winning_move, won_by};
use crate::prove::{EVEN, Node, Prover};

impl Prover {
    /// Whether the player to move wins `board` by the proof of `model`.
    pub(crate) fn simulate(
        &mut self,
        model: Board,
        board: Board,
        number: u32,
        clock: &mut Clock,
    ) -> bool {
        let start = clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if let Some(won) = self.table.get(key.whole).and_then(ProofNumbers::decided) {
            return won;
        }
        let model_key = self.arena.key(model, number, self.question());
        let field = self.arena.field(number);
        let known = self.table.get(model_key.whole);
        let Some(mv) = known.and_then(winning_move) else {
            return false;
        };
        let (Some(model), Some(next)) = (model.after(field, mv), board.after(field, mv)) else {
            return false;
        };
        let won = match self.arena.judge(next, number + 1) {
            Judgement::Loss(_) => true,
            Judgement::Win(_) | Judgement::Draw => false,
            Judgement::Open => self.simulate_all(model, next, number + 1, clock),
        };
        if won {
            let numbers = won_by(mv);
            self.table.put(key, numbers, clock.nodes() - start);
        }
        won
    }

    /// Whether a win of the player to move is found while its proof number is no larger than in an
    /// even position.
    fn wins_soon(&mut self, board: Board, number: u32, clock: &mut Clock) -> bool {
        let thresholds = ProofNumbers {
            proof: EVEN,
            disproof: INFINITE,
        };
        let node = Node {
            board,
            number,
            key: self.arena.key(board, number, self.question()),
        };
        let found = self.search(node, thresholds, clock);
        found.is_ok_and(|numbers| numbers.proof == 0)
    }

    /// Whether all moves of `board` lose, by the proof of `model`.
    fn simulate_all(&mut self, model: Board, board: Board, number: u32, clock: &mut Clock) -> bool {
        let start = clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if let Some(won) = self.table.get(key.whole).and_then(ProofNumbers::decided) {
            return !won;
        }
        if clock.tick() {
            return false;
        }
        let mut batch = self.child_batch(board, number);
        // No child is simulated before all have their first numbers: one may win.
        for i in 0..batch.count {
            batch.numbers[i] = self.first_numbers(&batch, i, number + 1);
            if batch.numbers[i].disproof == 0 {
                return false;
            }
        }
        let field = self.arena.field(number);
        let lost = (0..batch.count).all(|i| {
            let next = batch.boards[i];
            batch.numbers[i].proof == 0
                || model
                    .after(field, board.move_to(next))
                    .is_some_and(|model| self.simulate(model, next, number + 1, clock))
                || self.wins_soon(next, number + 1, clock)
        });
        if lost {
            self.table
                .put(key, ProofNumbers::DISPROVEN, clock.nodes() - start);
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
        match prover.arena.judge(board, number) {
            Judgement::Open => {}
            judged => return assert_eq!(matches!(judged, Judgement::Win(_)), wins, "{position}"),
        }
        if !seen.insert(*position) {
            return;
        }
        let key = prover.arena.key(board, number, prover.question());
        let numbers = prover.table.get(key.whole).expect("a part of the proof");
        assert_eq!(numbers.decided(), Some(wins), "{position}");
        let kept = winning_move(numbers);
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
