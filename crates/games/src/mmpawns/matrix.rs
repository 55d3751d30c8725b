//! MMPawns programs, which rewrite `matrix.txt` in their folder.

use std::time::Duration;

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{Move, Position, Square};
use rules::{Game, beginning};

use crate::{AnyPosition, GameTime, LONGEST_FILE, OneShot, Question, Refusal, Reply, Spent};

/// Lines of such a file: the ply, both players, and the board.
pub(super) const LINES: usize = 11;

/// The dialogue with MMPawns programs. It keeps the lines of both players in the file: as
/// they wrote them, or by the clock.
pub(super) struct Dialogue {
    time: GameTime,
    accounts: [Account; 2],
}

impl Dialogue {
    pub(super) fn new(time: GameTime) -> Dialogue {
        let account = |time: Duration| Account::new("0", time.as_secs_f64());
        Dialogue {
            time,
            accounts: time.whole.map(account),
        }
    }
}

impl OneShot for Dialogue {
    fn ask(&mut self, position: &AnyPosition) -> Question {
        let position = position.downcast_ref();
        Question {
            file: position.map(|position| matrix(position, &self.accounts).write()),
            ..Question::default()
        }
    }

    fn read(
        &mut self,
        position: &AnyPosition,
        question: &Question,
        reply: &Reply<'_>,
    ) -> Result<String, Refusal> {
        let (Some(position), Some(bytes)) = (position.downcast_ref(), &question.file) else {
            return Err(false_line(1, "not a position of MMPawns"));
        };
        let before = matrix(position, &self.accounts);
        check(&before, bytes, reply.file, reply.used, &self.time).map(|(mv, _)| mv)
    }

    fn observe(&mut self, spent: &Spent<'_>) {
        let index = spent.side.index();
        let written = spent.file.and_then(|file| Matrix::read(file).ok());
        let account = &mut self.accounts[index];
        *account = match written {
            Some(matrix) => matrix.accounts[index].clone(),
            None => {
                let seconds = account.seconds - spent.used.as_secs_f64();
                Account::new(&account.score, seconds)
            }
        };
    }

    fn resume(&mut self, question: &Question) {
        let file = question.file.as_deref();
        if let Some(matrix) = file.and_then(|file| Matrix::read(file).ok()) {
            self.accounts = matrix.accounts;
        }
    }
}

/// The file of a position with the players' lines.
fn matrix(position: &Position, accounts: &[Account; 2]) -> Matrix {
    Matrix {
        position: *position,
        result: Mark::of(position.outcome()),
        accounts: accounts.clone(),
    }
}

fn false_line(line: usize, what: impl Into<String>) -> Refusal {
    Refusal::FalseFile {
        line,
        what: what.into(),
    }
}

/// Checks every field of the file after a move; the move, and the player's new line.
pub fn check(
    before: &Matrix,
    bytes: &[u8],
    content: &[u8],
    used: Duration,
    time: &GameTime,
) -> Result<(String, Account), Refusal> {
    if content == bytes {
        return Err(false_line(1, "the file was not changed"));
    }
    if content.len() as u64 > LONGEST_FILE {
        return Err(false_line(
            1,
            format!("the file is longer than {LONGEST_FILE} bytes"),
        ));
    }
    let after = Matrix::read(content).map_err(|error| false_line(error.line, error.what))?;
    let (old, new) = (&before.position, &after.position);
    let side = old.side_to_move();
    if new.number() != old.number() + 1 {
        let what = format!("ply number {}, not {}", new.number(), old.number() + 1);
        return Err(false_line(1, what));
    }
    let mv = find_move(old, new)?;
    let mut next = *old;
    next.play_unchecked(mv);
    let truth = Mark::of(next.outcome());
    if after.result != truth && after.result != Mark::U {
        let what = format!(
            "claims {}, the truth is {}",
            after.result.letter(),
            truth.letter()
        );
        return Err(false_line(1, what));
    }
    for index in 0..2 {
        let (was, is) = (&before.accounts[index], &after.accounts[index]);
        if was.score != is.score {
            let score = beginning(&is.score);
            let what = format!("the score was {}, is {score}", was.score);
            return Err(false_line(2 + index, what));
        }
    }
    let other = (!side).index();
    let (was, is) = (&before.accounts[other], &after.accounts[other]);
    let tolerance = time.other_error.as_secs_f64();
    let kept = if tolerance == 0.0 {
        was.line == is.line
    } else {
        (was.seconds - is.seconds).abs() <= tolerance + 1e-9
    };
    if !kept {
        let shown = |account: &Account| beginning(&String::from_utf8_lossy(&account.line));
        let what = format!(
            "the opponent's line was {:?}, is {:?}",
            shown(was),
            shown(is)
        );
        return Err(false_line(2 + other, what));
    }
    let own = side.index();
    let (was, is) = (&before.accounts[own], &after.accounts[own]);
    let right = (was.seconds - used.as_secs_f64()).max(0.0);
    // Half of the last decimal is rounding.
    if is.seconds < 0.0 || (is.seconds - right).abs() > time.own_error.as_secs_f64() + 0.005 {
        let what = format!("own time {}, should be {right:.2}", is.seconds);
        return Err(false_line(2 + own, what));
    }
    Ok((old.move_text(mv), is.clone()))
}

/// The legal move between two positions; otherwise what is wrong with the board.
fn find_move(old: &Position, new: &Position) -> Result<Move, Refusal> {
    let same_board = |position: &Position| {
        Square::all().all(|square| position.symbol(square) == new.symbol(square))
    };
    let found = old.moves().into_iter().find(|mv| {
        let mut next = *old;
        next.play_unchecked(*mv);
        same_board(&next)
    });
    if let Some(mv) = found {
        return Ok(mv);
    }
    let mut changed = Square::all().filter(|square| old.symbol(*square) != new.symbol(*square));
    let Some(first) = changed.next() else {
        return Err(false_line(4, "no piece has moved"));
    };
    let own = Position::side_name(old.side_to_move());
    let own = own.chars().next().unwrap_or_default();
    let squares: Vec<Square> = [first].into_iter().chain(changed).collect();
    let left = squares
        .iter()
        .filter(|s| old.symbol(**s) == own && new.symbol(**s) == '-');
    let came = squares
        .iter()
        .filter(|s| new.symbol(**s) == own && old.symbol(**s) == '-');
    // One piece went somewhere: the rules say why it may not.
    if let ([from], [to]) = (&left.collect::<Vec<_>>()[..], &came.collect::<Vec<_>>()[..])
        && let Err(error) = old.parse_move(&format!("{from}-{to}"))
    {
        return Err(error.into());
    }
    let line = 4 + usize::from(first.row());
    let (was, is) = (old.symbol(first), new.symbol(first));
    Err(false_line(
        line,
        format!("{first} was {was}, is {is}: no legal move does that"),
    ))
}
