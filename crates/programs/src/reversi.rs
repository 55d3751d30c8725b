//! The Reversi dialogue: Black types, White replies greedily.
//!
//! Every input line gets one reply line and a diagram. A line is compared byte for
//! byte: nothing is trimmed, and whatever is neither `=` nor a legal square of Black
//! is answered with `?` and changes nothing.

use std::io::{self, BufRead, BufReader, Read, Write};

use ::reversi::{Board, Discs, Position, Square};
use rules::Side;

/// Plays the dialogue until the input ends.
///
/// ```
/// let mut output = Vec::new();
/// programs::reversi::run(&b"e6\n"[..], &mut output)?;
/// let lines: Vec<_> = std::str::from_utf8(&output).unwrap().lines().collect();
/// assert_eq!(lines[9], "e6 f4 0");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut dialogue = Dialogue::new();
    let mut answers = Vec::with_capacity(1 << 16);
    dialogue.diagram(&mut answers);
    loop {
        // Answers travel together only while the next whole line is already here:
        // whoever waits for one gets it at once.
        if answers.len() > 1 << 15 || !input.buffer().contains(&b'\n') {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
        let Some(line) = read_line(&mut input)? else {
            break;
        };
        dialogue.answer(line, &mut answers);
    }
    output.write_all(&answers)?;
    output.flush()
}

/// What an input line says, before the rules are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Pass,
    Square(Square),
    Nonsense,
}

/// Reads one line, of any length and any bytes, without keeping more of it than can
/// mean something. `None` at the end of input; an unterminated last line counts.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut kept = [0; 3];
    let mut length = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            return Ok((length > 0).then(|| meaning(&kept[..length])));
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        for &byte in &buffer[..end.unwrap_or(buffer.len())] {
            if length == kept.len() {
                break;
            }
            kept[length] = byte;
            length += 1;
        }
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(meaning(&kept[..length])));
        }
    }
}

fn meaning(line: &[u8]) -> Line {
    match *line {
        [b'='] => Line::Pass,
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
            Line::Square(Square::new((row - b'1') * 8 + (column - b'a')))
        }
        _ => Line::Nonsense,
    }
}

/// The game so far: the board with Black to move.
struct Dialogue {
    board: Board,
}

impl Dialogue {
    fn new() -> Dialogue {
        let start = Position::start();
        Dialogue {
            board: Board {
                own: start.discs(Side::First),
                other: start.discs(Side::Second),
            },
        }
    }

    /// Plays what the line says, and writes the reply and the diagram.
    fn answer(&mut self, line: Line, out: &mut Vec<u8>) {
        let white_to_move = match line {
            Line::Pass => self.board.pass(),
            Line::Square(square) if self.board.moves().contains(square) => self.board.play(square),
            _ => {
                out.extend_from_slice(b"?");
                self.finish(out);
                return;
            }
        };
        put_move(
            match line {
                Line::Square(square) => Some(square),
                _ => None,
            },
            out,
        );
        out.push(b' ');
        let reply = greedy(white_to_move);
        self.board = reply.map_or(white_to_move.pass(), |square| white_to_move.play(square));
        put_move(reply, out);
        self.finish(out);
    }

    /// The rest of a reply line, and the diagram.
    fn finish(&self, out: &mut Vec<u8>) {
        writeln!(out, " {}", self.board.difference()).expect("a vector takes every byte");
        self.diagram(out);
    }

    fn diagram(&self, out: &mut Vec<u8>) {
        let (Discs(black), Discs(white)) = (self.board.own, self.board.other);
        for row in 0..8 {
            for square in row * 8..row * 8 + 8 {
                let (black, white) = (black >> square & 1, white >> square & 1);
                out.push(b"-CB"[(black + 2 * white) as usize]);
            }
            out.extend([b'1' + row, b'\n']);
        }
        out.extend_from_slice(b"abcdefgh\n");
    }
}

fn put_move(mv: Option<Square>, out: &mut Vec<u8>) {
    match mv {
        Some(square) => out.extend([b'a' + square.column(), b'1' + square.row()]),
        None => out.push(b'='),
    }
}

/// The move that turns over most discs; of several the one in the lowest row, then in
/// the earliest column. `None` if there is no legal move.
fn greedy(board: Board) -> Option<Square> {
    let mut best = None;
    let mut most = 0;
    for square in board.moves() {
        let turned = board.flips(square).len();
        if turned > most {
            (best, most) = (Some(square), turned);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &[u8], expected: Line) {
        assert_eq!(meaning(line), expected);
        // However the bytes arrive, the line means the same.
        for size in [1, 2, 64] {
            let mut text = line.to_vec();
            text.push(b'\n');
            let mut input = BufReader::with_capacity(size, &text[..]);
            assert_eq!(read_line(&mut input).unwrap(), Some(expected));
            assert_eq!(read_line(&mut input).unwrap(), None);
        }
    }

    #[test]
    fn lines_match_exactly_or_mean_nothing() {
        check(b"=", Line::Pass);
        check(b"d3", Line::Square(Square::new(19)));
        check(b"h8", Line::Square(Square::new(63)));
        for nonsense in [
            &b""[..],
            b"d3 ",
            b" d3",
            b"D3",
            b"3d",
            b"d3\r",
            b"= ",
            b"==",
            b"\0",
            b"d3\0",
            b"d9",
            b"i1",
            b"d",
            &[b'x'; 70_000],
        ] {
            check(nonsense, Line::Nonsense);
        }
    }

    #[test]
    fn an_unterminated_last_line_is_a_command_and_nothing_is_none() {
        assert_eq!(read_line(&mut &b"="[..]).unwrap(), Some(Line::Pass));
        assert_eq!(read_line(&mut &b""[..]).unwrap(), None);
    }
}
