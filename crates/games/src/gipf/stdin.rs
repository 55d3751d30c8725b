//! GIPF programs: a position on standard input, the position after their move on
//! standard output.

use ::gipf::{Move, Position, text};
use rules::Game;

use crate::{AnyPosition, OneShot, Question, Refusal, Reply};

/// The dialogue of GIPF programs.
pub(super) struct Loaded;

impl OneShot for Loaded {
    /// The position in the form of the program's load command.
    fn ask(&mut self, position: &AnyPosition) -> Question {
        let printed = position.downcast_ref().map(text::print);
        Question {
            stdin: Some(printed.unwrap_or_default().into_bytes()),
            ..Question::default()
        }
    }

    fn read(
        &mut self,
        position: &AnyPosition,
        _: &Question,
        reply: &Reply<'_>,
    ) -> Result<String, Refusal> {
        match position.downcast_ref() {
            Some(position) => read(position, reply.stdout),
            None => {
                let printed = String::from_utf8_lossy(reply.stdout);
                let reason = format!("{} is another game", position.game());
                Err(Refusal::unreadable(&printed, reason))
            }
        }
    }
}

/// The move that leads to the position which the program printed.
fn read(position: &Position, output: &[u8]) -> Result<String, Refusal> {
    let printed = String::from_utf8_lossy(output);
    let unreadable = |reason: String| Refusal::unreadable(&printed, reason);
    let lines: Vec<&str> = printed
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let [variant, reserves, rows @ ..] = lines.as_slice() else {
        return Err(if lines.is_empty() {
            Refusal::NoOutput
        } else {
            unreadable("the position after the move is wanted".into())
        });
    };
    let after =
        text::load(variant, reserves, rows).map_err(|error| unreadable(error.to_string()))?;
    if after == *position {
        return Err(unreadable("it is the position from before the move".into()));
    }
    let leads_there = |mv: &Move| {
        let mut next = *position;
        next.play_unchecked(*mv);
        next == after
    };
    match position.moves().into_iter().find(leads_there) {
        Some(mv) => Ok(position.move_text(mv)),
        None => Err(Refusal::Illegal {
            text: format!("to {after}"),
            reason: "no move leads to that position".into(),
        }),
    }
}

/// A board over several lines, as the GIPF program prints it; `None` if the text is not
/// like one.
pub(super) fn load(text: &str) -> Option<Result<Position, String>> {
    let mut lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    let mut first = lines.next()?;
    if first == "LOAD_GAME_BOARD" {
        first = lines.next()?;
    }
    let second = lines.next()?;
    let rows: Vec<&str> = lines.collect();
    if rows.is_empty() || !rows.iter().all(|row| text::is_row(row)) {
        return None;
    }
    Some(text::load(first, second, &rows).map_err(|e| e.to_string()))
}
