//! Games of the engine against itself, with labels of its searches.

use othello::eval::DISC;
use othello::{Engine, Options, discs};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use reversi::{Board, Position, Square};
use rules::Side;
use search::Limits;

use super::Recipe;
use crate::othello::record::Record;
use crate::othello::selfplay::{Visit, generator, label, random_square};

/// How many games one file holds.
pub(super) const GAMES_PER_FILE: u32 = 200;

/// Positions with fewer empties are not recorded: searches that evaluate do not reach them.
const FEWEST: u32 = 8;

/// How much of a label comes from the next position's label, on the way back from the end.
const TRUST: f64 = 0.95;

/// The share of that label; the rest is the value of the position's own search.
const FROM_THE_END: f64 = 0.6;

/// Mebibytes of the engine's transposition table.
const HASH: usize = 4;

/// The positions of one file's games.
pub(super) fn play_file(recipe: &Recipe, file: u32) -> Vec<Record> {
    let mut engine = Engine::new(Options {
        threads: 1,
        hash: HASH,
    });
    let numbers = file * GAMES_PER_FILE..(file + 1) * GAMES_PER_FILE;
    let mut records = Vec::new();
    for number in numbers {
        let mut game = Game {
            recipe,
            engine: &mut engine,
            rng: generator(recipe.seed, number.into()),
        };
        records.extend(game.play().into_iter().map(|(board, value)| Record {
            board,
            value: (value * f64::from(DISC)).round() as i16,
            game: number as u16,
        }));
    }
    records
}

struct Game<'a> {
    recipe: &'a Recipe,
    engine: &'a mut Engine,
    rng: ChaCha8Rng,
}

impl Game<'_> {
    /// The positions of a game and some neighbours, with their labels in discs.
    ///
    /// A game starts with random moves, and strays now and then. Half of its positions have a
    /// neighbour recorded: the position after one random move or two, where searches come but good
    /// games do not.
    fn play(&mut self) -> Vec<(Board, f64)> {
        let opening = 60 - self.rng.random_range(2..=16);
        let stray = [12, 24, 48][self.rng.random_range(0..3)];
        let mut board = Position::start().board();
        let (mut visits, mut neighbours) = (Vec::<Visit>::new(), Vec::new());
        while board.empty().len() >= FEWEST {
            if board.moves().is_empty() {
                board = board.pass();
                if board.moves().is_empty() {
                    break;
                }
                if let Some(last) = visits.last_mut() {
                    last.passed = true;
                }
            }
            let empties = board.empty().len();
            if empties > opening {
                board = board.play(random_square(&mut self.rng, board));
                continue;
            }
            let exact = empties <= self.recipe.solve;
            let depth = if exact { empties } else { self.recipe.depth };
            let (value, Some(best)) = self.search(board, depth) else {
                break;
            };
            if self.rng.random_range(0..2) == 0 {
                neighbours.extend(self.neighbour(board));
            }
            let square = if self.rng.random_range(0..stray) == 0 {
                random_square(&mut self.rng, board)
            } else {
                best
            };
            visits.push(Visit {
                board,
                value,
                exact,
                followed: square == best,
                passed: false,
            });
            board = board.play(square);
        }
        let searched: Vec<f64> = visits.iter().map(|visit| visit.value).collect();
        label(&mut visits, TRUST);
        let labels = visits.iter().zip(searched).map(|(visit, searched)| {
            let value = searched + FROM_THE_END * (visit.value - searched);
            (visit.board, value)
        });
        labels.chain(neighbours).collect()
    }

    /// The position after a random move, or one time in three after two, with the value of a
    /// search.
    fn neighbour(&mut self, board: Board) -> Option<(Board, f64)> {
        let mut next = board.play(random_square(&mut self.rng, board));
        if self.rng.random_range(0..3) == 0 && !next.moves().is_empty() {
            next = next.play(random_square(&mut self.rng, next));
        }
        let empties = next.empty().len();
        if next.moves().is_empty() || empties < FEWEST {
            return None;
        }
        let depth = if empties + 2 <= self.recipe.solve {
            empties
        } else {
            self.recipe.depth.saturating_sub(1).max(1)
        };
        Some((next, self.search(next, depth).0))
    }

    /// The value in discs and the best move.
    fn search(&mut self, board: Board, depth: u32) -> (f64, Option<Square>) {
        let position = Position::new(board, Side::First);
        let limits = Limits::default().with_depth(depth);
        let answer = self.engine.search(&position, &limits, |_| {});
        let square = answer.best.and_then(|mv| mv.square());
        (f64::from(discs(answer.score)), square)
    }
}
