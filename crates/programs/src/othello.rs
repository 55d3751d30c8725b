//! The Othello program: a position and a colour as arguments, the best move as answer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use othello::book::Book;
use othello::{Engine, Options};
use reversi::{Board, Discs, Position, Square};
use rules::Side;
use search::Limits;

/// The time from the start of the process in which an answer is wanted. The rules allow
/// a second; the rest is for the system to start and end the process, and for a machine
/// that has other things to do.
pub const BUDGET: Duration = Duration::from_millis(600);

/// What a search on a busy machine may take beyond its budget before the best move so far
/// has to do.
const PATIENCE: Duration = Duration::from_millis(60);

/// Mebibytes of the transposition table: as much as a second can fill.
const HASH: usize = 64;

/// What is wrong with the arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// There are not nine.
    Count(usize),
    /// A row is not eight characters of 0, 1 and 2.
    Row(usize, String),
    /// The colour is neither 1 nor 2.
    Colour(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Count(count) => write!(
                f,
                "{count} arguments given, but eight rows and a colour are wanted"
            ),
            Error::Row(number, text) => write!(
                f,
                "argument {number}: {text:?} is not a row of eight characters 0, 1 or 2"
            ),
            Error::Colour(text) => write!(f, "argument 9: {text:?} is not a colour 1 or 2"),
        }
    }
}

impl std::error::Error for Error {}

/// Reads the eight rows, from the top, and the colour to move: 1 is black, 2 is white.
pub fn read(arguments: &[String]) -> Result<Position, Error> {
    let [rows @ .., colour] = arguments else {
        return Err(Error::Count(0));
    };
    if rows.len() != 8 {
        return Err(Error::Count(arguments.len()));
    }
    let mut discs = [0u64; 3];
    for (y, row) in rows.iter().enumerate() {
        let bad = || Error::Row(y + 1, row.clone());
        if row.len() != 8 {
            return Err(bad());
        }
        for (x, digit) in row.bytes().enumerate() {
            let kind = digit.checked_sub(b'0').map(usize::from);
            let kind = kind.filter(|&kind| kind < 3).ok_or_else(bad)?;
            discs[kind] |= 1 << (8 * y + x);
        }
    }
    let [_, black, white] = discs.map(Discs);
    let (own, other, side) = match colour.as_str() {
        "1" => (black, white, Side::First),
        "2" => (white, black, Side::Second),
        _ => return Err(Error::Colour(colour.clone())),
    };
    Ok(Position::new(Board { own, other }, side))
}

/// The square to play, if there is one, found within the budget of a process that began
/// at `started`.
#[must_use]
pub fn choose(position: &Position, started: Instant, budget: Duration) -> Option<Square> {
    let mut moves = position.board().moves();
    let (first, second) = (moves.next()?, moves.next());
    if second.is_none() {
        return Some(first);
    }
    if let Some(advice) = Book::embedded().advice(position) {
        return advice.mv.square();
    }
    // The search has a thread of its own: this one sleeps, so that the system wakes it in
    // time even where others keep every processor busy.
    let position = *position;
    let so_far = Arc::new(Mutex::new(first));
    let limits = Limits::default().with_wall(budget.saturating_sub(started.elapsed()));
    let (send, receive) = mpsc::channel();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn({
        let (so_far, limits) = (so_far.clone(), limits.clone());
        // Nobody listens any more if it took too long.
        move || {
            let _ = send.send(search(&position, &limits, &so_far));
        }
    });
    let left = (budget + PATIENCE).saturating_sub(started.elapsed());
    let found = match thread {
        Ok(_) => receive.recv_timeout(left).ok().flatten(),
        Err(_) => search(&position, &limits, &so_far),
    };
    let so_far = *so_far.lock().unwrap_or_else(PoisonError::into_inner);
    Some(found.unwrap_or(so_far))
}

/// The best move within the limits; the best one known while it goes on is in `so_far`.
fn search(position: &Position, limits: &Limits, so_far: &Mutex<Square>) -> Option<Square> {
    let mut engine = Engine::new(Options {
        hash: HASH,
        ..Options::default()
    });
    let answer = engine.search(position, limits, |answer| {
        if let Some(square) = answer.best.and_then(|mv| mv.square()) {
            *so_far.lock().unwrap_or_else(PoisonError::into_inner) = square;
        }
    });
    answer.best.and_then(|mv| mv.square())
}

/// The answer as it is printed: column and row, counted from 0.
#[must_use]
pub fn text(square: Option<Square>) -> String {
    match square {
        Some(square) => format!("{},{}", square.column(), square.row()),
        None => "-1,-1".to_owned(),
    }
}
