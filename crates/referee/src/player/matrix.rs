//! MMPawns programs, which rewrite `matrix.txt` in their folder.

use bots::AnyPosition;
use mmpawns::matrix::{Account, Mark, Matrix};
use mmpawns::{Position, Square};
use rules::Game;

use super::program::{KEPT_ANSWER, Program, fault};
use super::{Answer, Player, Turn};
use crate::folder::{FILE, FileRead, LONGEST_FILE};
use crate::{Blob, Clock, Input, Penalties, Seconds, Size, Verdict};

/// A one-shot MMPawns program.
pub(crate) struct MatrixPlayer {
    program: Program,
    penalties: Penalties,
}

impl MatrixPlayer {
    pub(crate) fn new(program: Program, penalties: Penalties) -> MatrixPlayer {
        MatrixPlayer { program, penalties }
    }
}

impl Player for MatrixPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        let Some(before) = matrix(turn.position, turn.accounts) else {
            return super::nothing(Err(Verdict::Protocol {
                what: "not a position of MMPawns".into(),
            }));
        };
        let bytes = before.write();
        let input = Input {
            file: Some(bytes.clone().into()),
            ..Input::default()
        };
        let exit = self.program.run(&input, &turn.limits, turn.stop);
        let used = match self.penalties.clock {
            Clock::Processor => exit.cpu,
            Clock::Wall => exit.wall,
        };
        let fault = fault(&exit, &turn.limits).or(exit.folder.changed);
        let (raw, read) = match exit.folder.file {
            FileRead::Missing => {
                let path = FILE.to_string_lossy().into();
                (Vec::new(), Err(Verdict::Removed { path }))
            }
            FileRead::NotAFile => (Vec::new(), Err(false_line(1, "not a plain file any more"))),
            FileRead::Content(content) => {
                let read = check(&before, &bytes, &content, used.into(), &self.penalties);
                (content, read)
            }
        };
        let (mv, account) = match (fault, read) {
            (Some(verdict), _) | (None, Err(verdict)) => (Err(verdict), None),
            (None, Ok((mv, account))) => (Ok(mv), Some(account)),
        };
        Answer {
            input,
            raw: Blob::from(raw).bounded(KEPT_ANSWER),
            wall: exit.wall.into(),
            cpu: exit.cpu.into(),
            memory: Size(exit.memory),
            stderr: exit.stderr,
            account,
            ..super::nothing(mv)
        }
    }
}

/// The file of a position with the players' lines.
pub(crate) fn matrix(position: &AnyPosition, accounts: &[Account; 2]) -> Option<Matrix> {
    let position = *<&Position>::try_from(position).ok()?;
    Some(Matrix {
        position,
        result: Mark::of(position.outcome()),
        accounts: accounts.clone(),
    })
}

fn false_line(line: usize, what: impl Into<String>) -> Verdict {
    Verdict::FalseFile {
        line,
        what: what.into(),
    }
}

/// Checks every field of the file after a move; the move, and the player's new line.
pub(crate) fn check(
    before: &Matrix,
    bytes: &[u8],
    content: &[u8],
    used: Seconds,
    penalties: &Penalties,
) -> Result<(String, Account), Verdict> {
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
        let what = format!(
            "half-move number {}, not {}",
            new.number(),
            old.number() + 1
        );
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
            let what = format!("the score was {}, is {}", was.score, is.score);
            return Err(false_line(2 + index, what));
        }
    }
    let other = (!side).index();
    let (was, is) = (&before.accounts[other], &after.accounts[other]);
    let tolerance = penalties.other_time.0.as_secs_f64();
    let kept = if tolerance == 0.0 {
        was.line == is.line
    } else {
        (was.seconds - is.seconds).abs() <= tolerance + 1e-9
    };
    if !kept {
        let shown = |account: &Account| String::from_utf8_lossy(&account.line).into_owned();
        let what = format!(
            "the opponent's line was {:?}, is {:?}",
            shown(was),
            shown(is)
        );
        return Err(false_line(2 + other, what));
    }
    let own = side.index();
    let (was, is) = (&before.accounts[own], &after.accounts[own]);
    let right = (was.seconds - used.0.as_secs_f64()).max(0.0);
    // Half of the last decimal is rounding.
    if is.seconds < 0.0 || (is.seconds - right).abs() > penalties.own_time.0.as_secs_f64() + 0.005 {
        let what = format!("own time {}, should be {right:.2}", is.seconds);
        return Err(false_line(2 + own, what));
    }
    Ok((old.move_text(mv), is.clone()))
}

/// The legal move between two positions; otherwise what is wrong with the board.
fn find_move(old: &Position, new: &Position) -> Result<mmpawns::Move, Verdict> {
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
