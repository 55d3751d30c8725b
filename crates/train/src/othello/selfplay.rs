//! Games of the weights against themselves, and the labels of their positions.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use files::Claim;
use othello::Solver;
use othello::eval::{DISC, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reversi::{Board, Position, Square};

use super::record::{self, Record, RecordError};
use super::search::{self, Best};
use super::solve::solve;

/// How the games are played and labelled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// Search depth of a player, in plies.
    pub depth: u32,
    /// With this many empties or fewer, positions are solved.
    pub solve: u32,
    /// How much of a label comes from the next position's label, if the move was the
    /// best one; the rest is what the search sees.
    pub trust: f64,
    /// One move in this many is any legal one.
    pub stray: u32,
}

/// How many games one file holds.
pub const GAMES_PER_FILE: u32 = 500;

/// Positions with fewer empties than this are not recorded: they are solved, not evaluated.
const FEWEST: u32 = 6;

/// The random numbers of one of many independent streams.
pub(crate) fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// Plays at least `games` games into files of a folder. Files that are there already are
/// left alone, so an interrupted run goes on where it was. Calls `done` with each
/// finished file.
pub fn run(
    weights: &Weights,
    settings: &Settings,
    folder: &Path,
    games: u32,
    threads: usize,
    done: impl Fn(&Path) + Sync,
) -> Result<Vec<PathBuf>, RecordError> {
    let files = games.div_ceil(GAMES_PER_FILE);
    let play = |file| play_file(weights, settings, file);
    write_files(folder, settings.seed, files, threads, play, done)
}

/// Writes so many files of records, each made from its number. Files that are there already
/// are left alone. Of one folder and seed only one process makes them.
pub(super) fn write_files(
    folder: &Path,
    seed: u64,
    files: u32,
    threads: usize,
    make: impl Fn(u32) -> Vec<Record> + Sync,
    done: impl Fn(&Path) + Sync,
) -> Result<Vec<PathBuf>, RecordError> {
    std::fs::create_dir_all(folder).map_err(|error| RecordError::io(folder, error))?;
    let series = folder.join(format!("{seed:08x}"));
    let _claim = Claim::file(&series).map_err(|error| RecordError::io(&series, error))?;
    let name = |file: u32| folder.join(format!("{seed:08x}-{file:05}.records"));
    let next = AtomicU32::new(0);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let file = next.fetch_add(1, Ordering::Relaxed);
                    if file >= files {
                        return;
                    }
                    let path = name(file);
                    if path.exists() {
                        continue;
                    }
                    if let Err(error) = record::write(&path, &make(file)) {
                        failure.lock().expect("no thread panics").replace(error);
                        return;
                    }
                    done(&path);
                }
            });
        }
    });
    match failure.into_inner().expect("no thread panics") {
        Some(error) => Err(error),
        None => Ok((0..files).map(name).collect()),
    }
}

/// The positions of one file's games.
///
/// The games advance side by side, so that the weights of one phase, which fill a
/// processor's cache, are used for all of them before the next phase's.
#[must_use]
pub fn play_file(weights: &Weights, settings: &Settings, file: u32) -> Vec<Record> {
    let numbers = file * GAMES_PER_FILE..(file + 1) * GAMES_PER_FILE;
    // Of its own, so that the moves do not depend on what a thread solved before.
    let mut solver = Solver::new(4);
    let mut games: Vec<SelfPlay> = numbers
        .map(|number| SelfPlay::new(settings.seed, number))
        .collect();
    for empties in (FEWEST..=60).rev() {
        for game in &mut games {
            if game.board.empty().len() == empties {
                game.advance(weights, &mut solver, settings);
            }
        }
    }
    games
        .into_iter()
        .flat_map(|game| game.records(settings.trust))
        .collect()
}

/// A position of a game, before it has its label.
pub(super) struct Visit {
    pub(super) board: Board,
    /// What the search, or the solver, says.
    pub(super) value: f64,
    pub(super) exact: bool,
    /// Whether the best move was played.
    pub(super) followed: bool,
    /// Whether the next position is seen by the same player, after a pass.
    pub(super) passed: bool,
}

/// A game that the weights play against themselves.
struct SelfPlay {
    number: u32,
    rng: ChaCha8Rng,
    board: Board,
    visits: Vec<Visit>,
}

impl SelfPlay {
    /// Some random moves from the start.
    fn new(seed: u64, number: u32) -> SelfPlay {
        let mut rng = generator(seed, number.into());
        let empties = 60 - rng.random_range(4..=18);
        SelfPlay {
            number,
            board: random_board(&mut rng, empties),
            rng,
            visits: Vec::with_capacity(56),
        }
    }

    /// Puts one disc down, if anybody can.
    fn advance(&mut self, weights: &Weights, solver: &mut Solver, settings: &Settings) {
        if self.board.moves().is_empty() {
            self.board = self.board.pass();
            if self.board.moves().is_empty() {
                return;
            }
            if let Some(last) = self.visits.last_mut() {
                last.passed = true;
            }
        }
        let exact = self.board.empty().len() <= settings.solve;
        let best = if exact {
            exact_best(solver, self.board, self.visits.last())
        } else {
            search::best(weights, self.board, settings.depth)
        };
        let square = if self.rng.random_range(0..settings.stray) == 0 {
            random_square(&mut self.rng, self.board)
        } else {
            best.square
        };
        self.visits.push(Visit {
            board: self.board,
            value: f64::from(best.value),
            exact,
            followed: square == best.square,
            passed: false,
        });
        self.board = self.board.play(square);
    }

    /// The labelled positions.
    fn records(mut self, trust: f64) -> impl Iterator<Item = Record> {
        label(&mut self.visits, trust);
        self.visits.into_iter().map(move |visit| Record {
            board: visit.board,
            value: visit.value.round() as i16,
            game: self.number as u16,
        })
    }
}

/// The exact score and best move. After the best move of a solved position the score is
/// known, and only the move is looked for.
fn exact_best(solver: &mut Solver, board: Board, before: Option<&Visit>) -> Best {
    let known = before.filter(|b| b.exact && b.followed).map(|before| {
        let score = before.value as i32 / DISC;
        if before.passed { score } else { -score }
    });
    let (score, square) = solve(solver, board, known);
    Best {
        square,
        value: score * DISC,
    }
}

/// From the last position to the first: a label is what the search says, mixed with the
/// label that the best move leads to.
pub(super) fn label(visits: &mut [Visit], trust: f64) {
    for at in (0..visits.len().saturating_sub(1)).rev() {
        let next = visits[at + 1].value;
        let here = &mut visits[at];
        if here.followed && !here.exact {
            let next = if here.passed { next } else { -next };
            here.value += trust * (next - here.value);
        }
    }
}

/// A position reached by random moves, with `empties` squares left and a move to make.
pub(crate) fn random_board(rng: &mut ChaCha8Rng, empties: u32) -> Board {
    loop {
        let mut board = Position::start().board();
        while board.empty().len() > empties || board.moves().is_empty() {
            if !board.moves().is_empty() {
                board = board.play(random_square(rng, board));
            } else if board.pass().moves().is_empty() {
                break;
            } else {
                board = board.pass();
            }
        }
        if !board.moves().is_empty() {
            return board;
        }
    }
}

/// Any legal move; there must be one.
pub(super) fn random_square(rng: &mut ChaCha8Rng, board: Board) -> Square {
    let mut moves = board.moves();
    let nth = rng.random_range(0..moves.len());
    moves.nth(nth as usize).expect("fewer than the moves")
}
