//! Othello programs that get the position as arguments and print `x,y`.

use ::reversi::{Position, Square};
use rules::{Game, Side};

use crate::{AnyPosition, OneShot, Question, Refusal, Reply};

/// The dialogue of the Othello document.
pub(super) struct Arguments;

impl OneShot for Arguments {
    fn ask(&mut self, position: &AnyPosition) -> Question {
        let position = position.downcast_ref();
        Question {
            args: position.map_or_else(Vec::new, arguments),
            ..Question::default()
        }
    }

    fn read(
        &mut self,
        _: &AnyPosition,
        _: &Question,
        reply: &Reply<'_>,
    ) -> Result<String, Refusal> {
        read(reply.stdout)
    }
}

/// Eight rows of `0`, `1` (black) and `2` (white), and the colour to move.
#[must_use]
pub fn arguments(position: &Position) -> Vec<String> {
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
pub fn read(output: &[u8]) -> Result<String, Refusal> {
    let text = String::from_utf8_lossy(output);
    let unreadable = |reason: &str| Refusal::unreadable(&text, reason);
    let line = text.trim();
    if line.is_empty() {
        return Err(Refusal::NoOutput);
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
    fn check(output: &str, expected: &str) {
        assert_eq!(read(output.as_bytes()), Ok(expected.into()));
    }

    #[track_caller]
    fn check_bad(output: &str, reason: &str) {
        let expected = Refusal::unreadable(output, reason);
        assert_eq!(read(output.as_bytes()), Err(expected));
    }

    #[test]
    fn answers_are_read_with_the_tolerance_of_the_document() {
        for good in ["2,3", "2,3\n", "2 3\n", " 2 , 3 \r\n", "2, 3", "+2,03"] {
            check(good, "c4");
        }
        check("-1,-1\n", "pass");
        for empty in ["", " \n"] {
            assert_eq!(read(empty.as_bytes()), Err(Refusal::NoOutput));
        }
        check_bad("2,3\n4,5\n", "one line x,y is wanted");
        check_bad("8,0", "column and row go from 0 to 7");
        check_bad("d3", "x,y is wanted");
        check_bad("2,3,4", "x,y is wanted");
    }

    #[test]
    fn arguments_are_those_of_the_document() {
        assert_eq!(
            arguments(&Position::start()).join(" "),
            "00000000 00000000 00000000 00021000 00012000 00000000 00000000 00000000 1"
        );
    }
}
