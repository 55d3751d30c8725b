//! GIPF programs: a position on standard input, the position after their move on
//! standard output.

use ::gipf::{Position, text};
use bots::AnyPosition;
use rules::Game;

use super::program::{Program, answer};
use super::{Answer, Player, Turn};
use crate::{Input, Verdict};

/// A one-shot GIPF program.
pub(crate) struct GipfPlayer(pub(crate) Program);

impl Player for GipfPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        let input = Input {
            stdin: Some(input(turn.position).as_str().into()),
            ..Input::default()
        };
        let exit = self.0.run(&input, &turn.limits, turn.stop);
        answer(exit, input, &turn.limits, |output| {
            read(turn.position, output)
        })
    }
}

/// The position in the form of the program's load command.
pub(crate) fn input(position: &AnyPosition) -> String {
    <&Position>::try_from(position).map_or_else(|_| String::new(), text::print)
}

/// The move that leads to the position which the program printed.
fn read(position: &AnyPosition, output: &[u8]) -> Result<String, Verdict> {
    let printed = String::from_utf8_lossy(output);
    let unreadable = |reason: String| Verdict::Unreadable {
        answer: printed.chars().take(80).collect(),
        reason,
    };
    let lines: Vec<&str> = printed
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let [variant, reserves, rows @ ..] = lines.as_slice() else {
        return Err(if lines.is_empty() {
            Verdict::NoOutput
        } else {
            unreadable("the position after the move is wanted".into())
        });
    };
    let position = <&Position>::try_from(position)
        .map_err(|game| unreadable(format!("{game} is another game")))?;
    let after =
        text::load(variant, reserves, rows).map_err(|error| unreadable(error.to_string()))?;
    if after == *position {
        return Err(unreadable("it is the position from before the move".into()));
    }
    let leads_there = |mv: &::gipf::Move| {
        let mut next = *position;
        next.play_unchecked(*mv);
        next == after
    };
    match position.moves().into_iter().find(leads_there) {
        Some(mv) => Ok(position.move_text(mv)),
        None => Err(Verdict::IllegalMove {
            text: format!("to {after}"),
            reason: "no move leads to that position".into(),
        }),
    }
}
