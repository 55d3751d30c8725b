//! The whole truth about a position, as far as it can be found: its value, that of every
//! move, how long the game lasts, and a line of best play.

use std::sync::atomic::{AtomicUsize, Ordering};

use mmpawns::{Move, Position};
use rules::Game;
use search::{Clock, Limits, Score};

use crate::Player;
use crate::arena::Arena;
use crate::board::Board;
use crate::player::share;

/// A position, its moves and its best line.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What the position is worth; `None` if nothing was proved.
    pub score: Option<Score>,
    /// Every move with its score for the player who makes it.
    pub moves: Vec<(Move, Option<Score>)>,
    /// How the game goes on if both play well; it stops where nothing is proved.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// What is known of the position after one of the moves.
struct Judged {
    index: usize,
    score: Option<Score>,
    nodes: u64,
}

impl Player {
    /// Solves a position and its moves within the limits. Helpers, each on a thread of its
    /// own, look at the moves meanwhile: on the wall clock several moves share a time, but each
    /// has positions and processor time of its own.
    pub fn solve(
        &mut self,
        helpers: &mut [Player],
        position: &Position,
        limits: &Limits,
    ) -> Solution {
        let moves = position.moves();
        let rounds = moves.len().div_ceil(1 + helpers.len()).max(1);
        let own = share(limits, 0.4 / moves.len().max(1) as f64);
        let each = Limits {
            nodes: own.nodes,
            cpu: own.cpu,
            ..share(limits, 0.4 / rounds as f64)
        };
        let next = AtomicUsize::new(0);
        let mut nodes = 0;
        let (score, mut found) = std::thread::scope(|scope| {
            let helpers: Vec<_> = helpers
                .iter_mut()
                .map(|helper| scope.spawn(|| helper.judge(position, &moves, &next, &each)))
                .collect();
            let score = self.score(position, &share(limits, 0.5), &mut nodes);
            let mut found = self.judge(position, &moves, &next, &each);
            for helper in helpers {
                found.extend(helper.join().expect("a helper does not panic"));
            }
            (score, found)
        });
        found.sort_unstable_by_key(|judged| judged.index);
        nodes += found.iter().map(|judged| judged.nodes).sum::<u64>();
        let scores = found
            .iter()
            .map(|judged| judged.score.map(Score::before_move));
        let moves: Vec<(Move, Option<Score>)> = moves.into_iter().zip(scores).collect();
        let score = score.or_else(|| Score::of_moves(moves.iter().map(|&(_, score)| score)));
        let line = self.line(position, &share(limits, 0.1), &mut nodes);
        Solution {
            score,
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
            let score = self.score(&after, limits, &mut nodes);
            judged.push(Judged {
                index,
                score,
                nodes,
            });
        }
    }

    /// What is proved of one position within the limits.
    pub fn proved(&mut self, position: &Position, limits: &Limits) -> Option<Score> {
        self.score(position, limits, &mut 0)
    }

    /// The same, and adds the positions visited to `nodes`.
    fn score(&mut self, position: &Position, limits: &Limits, nodes: &mut u64) -> Option<Score> {
        if let Some(outcome) = position.outcome() {
            return Some(Score::over(outcome, position.side_to_move()));
        }
        let value = self.prover.prove(position, &share(limits, 0.7));
        *nodes += self.prover.nodes();
        let mut children = Vec::new();
        let field = Arena::of(position).field(position.number());
        Board::of(position).each_child(field, |child| children.push(child));
        let found = self
            .deepener
            .search(position, &children, &share(limits, 0.3));
        *nodes += found.nodes;
        let seen = found.candidates.first().map_or(0, |c| c.value);
        Score::decided(seen, found.depth).or(value.map(Score::from))
    }

    /// Follows the best moves while the value is proved.
    fn line(&mut self, position: &Position, limits: &Limits, nodes: &mut u64) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = *position;
        let mut clock = Clock::start(limits);
        let each = share(limits, 0.1);
        while at.outcome().is_none() && !clock.check() {
            let report = self.choose(&at, &each);
            *nodes += report.nodes;
            match report.best {
                // Nobody thinks about a move that is forced.
                Some(mv) if report.score.is_proven() || at.count_moves() == 1 => {
                    line.push(mv);
                    at.play_unchecked(mv);
                }
                _ => break,
            }
        }
        line
    }
}
