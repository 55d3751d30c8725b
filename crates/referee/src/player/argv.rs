//! Othello programs that get the position as arguments and print `x,y`.

use bots::AnyPosition;
use reversi::{Position, Square};
use rules::{Game, Side};

use super::program::{Program, answer};
use super::{Answer, Player, Turn};
use crate::{Input, Verdict};

/// A one-shot Othello program.
pub(crate) struct ArgvPlayer(pub(crate) Program);

impl Player for ArgvPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        let input = Input {
            args: arguments(turn.position),
            ..Input::default()
        };
        let exit = self.0.run(&input, &turn.limits, turn.stop);
        answer(exit, input, &turn.limits, read)
    }
}

/// Eight rows of `0`, `1` (black) and `2` (white), and the colour to move.
pub(crate) fn arguments(position: &AnyPosition) -> Vec<String> {
    let Ok(position) = <&Position>::try_from(position) else {
        return Vec::new();
    };
    let digit = |square| match Side::BOTH.map(|side| position.discs(side).contains(square)) {
        [true, _] => '1',
        [_, true] => '2',
        _ => '0',
    };
    let squares: Vec<Square> = Square::all().collect();
    squares
        .chunks(8)
        .map(|row| row.iter().copied().map(digit).collect())
        .chain([(position.side_to_move().index() + 1).to_string()])
        .collect()
}

/// Reads `x,y`, column and row from 0, with a comma and/or blanks between.
pub(crate) fn read(output: &[u8]) -> Result<String, Verdict> {
    let text = String::from_utf8_lossy(output);
    let unreadable = |reason: &str| Verdict::Unreadable {
        answer: text.chars().take(80).collect(),
        reason: reason.into(),
    };
    let line = text.trim();
    if line.is_empty() {
        return Err(Verdict::NoOutput);
    }
    if line.contains('\n') {
        return Err(unreadable("one line x,y is wanted"));
    }
    let (x, y) = line
        .split_once(',')
        .or_else(|| line.split_once(char::is_whitespace))
        .ok_or_else(|| unreadable("x,y is wanted"))?;
    let number = |text: &str| text.trim().parse::<i32>().ok();
    match (number(x), number(y)) {
        (Some(-1), Some(-1)) => Ok("pass".into()),
        (Some(x), Some(y)) => u8::try_from(x)
            .ok()
            .zip(u8::try_from(y).ok())
            .and_then(|(x, y)| Square::at(x, y))
            .map(|square| square.to_string())
            .ok_or_else(|| unreadable("column and row go from 0 to 7")),
        _ => Err(unreadable("x,y is wanted")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, expected: Result<&str, &str>) {
        let read = read(output.as_bytes());
        let read = read.as_deref().map_err(ToString::to_string);
        assert_eq!(read, expected.map_err(String::from));
    }

    #[test]
    fn answers_are_read_with_the_tolerance_of_the_document() {
        for good in ["2,3", "2,3\n", "2 3\n", " 2 , 3 \r\n", "2, 3", "+2,03"] {
            check(good, Ok("c4"));
        }
        check("-1,-1\n", Ok("pass"));
        check("", Err("no output"));
        check(" \n", Err("no output"));
        check(
            "2,3\n4,5\n",
            Err("unreadable answer \"2,3\\n4,5\\n\" (one line x,y is wanted)"),
        );
        check(
            "8,0",
            Err("unreadable answer \"8,0\" (column and row go from 0 to 7)"),
        );
        check("d3", Err("unreadable answer \"d3\" (x,y is wanted)"));
        check("2,3,4", Err("unreadable answer \"2,3,4\" (x,y is wanted)"));
    }

    #[test]
    fn arguments_are_those_of_the_document() {
        let start = AnyPosition::start(bots::GameName::Reversi);
        assert_eq!(
            arguments(&start).join(" "),
            "00000000 00000000 00000000 00021000 00012000 00000000 00000000 00000000 1"
        );
    }
}
