//! The whole truth about a position, as far as it can be found: its value, that of every
//! move, how long the game lasts, and a line of best play.

use std::sync::atomic::{AtomicUsize, Ordering};

use mmpawns::{Move, Position};
use rules::{Game, WIN};
use search::Limits;

use crate::arena::Arena;
use crate::board::Board;
use crate::deepen::SURE;
use crate::player::share;
use crate::{Player, Value};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// The value for the player to move; `None` if it was not found.
    pub value: Option<Value>,
    /// Plies to the end when the winner hurries and the loser delays, if that was
    /// found too.
    pub distance: Option<u32>,
}

impl Verdict {
    /// The verdict before a move, from the one after it.
    fn before(self) -> Verdict {
        Verdict {
            value: self.value.map(Value::for_opponent),
            distance: self.distance.map(|n| n + 1),
        }
    }
}

/// A position, its moves and its best line.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The position itself.
    pub verdict: Verdict,
    /// Every move with the verdict for the player who makes it.
    pub moves: Vec<(Move, Verdict)>,
    /// How the game goes on if both play well; it stops where nothing is proved.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// What is known of the position after one of the moves.
struct Judged {
    index: usize,
    verdict: Verdict,
    nodes: u64,
}

impl Player {
    /// Solves a position and its moves within the limits. Helpers, each on a thread of its
    /// own, look at the moves meanwhile.
    pub fn solve(
        &mut self,
        helpers: &mut [Player],
        position: &Position,
        limits: &Limits,
    ) -> Solution {
        let moves = position.moves();
        let rounds = moves.len().div_ceil(1 + helpers.len()).max(1);
        let each = share(limits, 0.4 / rounds as f64);
        let next = AtomicUsize::new(0);
        let mut nodes = 0;
        let (mut verdict, mut found) = std::thread::scope(|scope| {
            let helpers: Vec<_> = helpers
                .iter_mut()
                .map(|helper| scope.spawn(|| helper.judge(position, &moves, &next, &each)))
                .collect();
            let verdict = self.verdict(position, &share(limits, 0.5), &mut nodes);
            let mut found = self.judge(position, &moves, &next, &each);
            for helper in helpers {
                found.extend(helper.join().expect("a helper does not panic"));
            }
            (verdict, found)
        });
        found.sort_unstable_by_key(|judged| judged.index);
        nodes += found.iter().map(|judged| judged.nodes).sum::<u64>();
        let verdicts = found.iter().map(|judged| judged.verdict.before());
        let moves: Vec<(Move, Verdict)> = moves.into_iter().zip(verdicts).collect();
        if verdict.value.is_none() {
            verdict.value = from_moves(&moves);
        }
        let line = self.line(position, &share(limits, 0.1), &mut nodes);
        Solution {
            verdict,
            moves,
            line,
            nodes,
        }
    }

    /// Takes moves that nobody has taken yet, and solves the positions after them.
    fn judge(
        &mut self,
        position: &Position,
        moves: &[Move],
        next: &AtomicUsize,
        limits: &Limits,
    ) -> Vec<Judged> {
        let mut judged = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&mv) = moves.get(index) else {
                return judged;
            };
            let mut after = *position;
            after.play_unchecked(mv);
            let mut nodes = 0;
            let verdict = self.verdict(&after, limits, &mut nodes);
            judged.push(Judged {
                index,
                verdict,
                nodes,
            });
        }
    }

    /// Value and distance of one position.
    fn verdict(&mut self, position: &Position, limits: &Limits, nodes: &mut u64) -> Verdict {
        if let Some(outcome) = position.outcome() {
            return Verdict {
                value: Some(Value::of(outcome.sign_for(position.side_to_move()))),
                distance: Some(0),
            };
        }
        let mut value = self.prover.prove(position, &share(limits, 0.7));
        *nodes += self.prover.nodes();
        let mut children = Vec::new();
        let field = Arena::of(position).field(position.number());
        Board::of(position).each_child(field, |child| children.push(child));
        let found = self
            .deepener
            .search(position, &children, &share(limits, 0.3));
        *nodes += found.nodes;
        let seen = found.candidates.first().map_or(0, |c| c.value);
        let mut distance = None;
        if seen.abs() >= SURE {
            value = Some(Value::of(seen.signum()));
            // A win is the shortest only if everything as short has been looked at.
            let length = (WIN - seen.abs()) as u32;
            distance = (length <= found.depth).then_some(length);
        }
        Verdict { value, distance }
    }

    /// Follows the best moves while the value is proved.
    fn line(&mut self, position: &Position, limits: &Limits, nodes: &mut u64) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = *position;
        let each = share(limits, 0.1);
        while at.outcome().is_none() {
            let report = self.choose(&at, &each);
            *nodes += report.nodes;
            match report.best {
                // Nobody thinks about a move that is forced.
                Some(mv) if report.exact || at.count_moves() == 1 => {
                    line.push(mv);
                    at.play_unchecked(mv);
                }
                _ => break,
            }
        }
        line
    }
}

/// The value that follows from those of the moves.
fn from_moves(moves: &[(Move, Verdict)]) -> Option<Value> {
    let any = |value| moves.iter().any(|(_, verdict)| verdict.value == value);
    [Some(Value::Win), None, Some(Value::Draw), Some(Value::Loss)]
        .into_iter()
        .find(|&value| any(value))
        .flatten()
}
