//! Reversi programs with a bug.

use ::reversi::{Board, Position, Square};

use super::{check, said};
use crate::check::Subject;

#[derive(Clone, Copy, PartialEq, Debug)]
enum ReversiBug {
    None,
    NoFirstDiagram,
    Trims,
    TrimsEnd,
    IgnoresCase,
    IgnoresCarriageReturn,
    ReadsTwoCharacters,
    EndsAtNul,
    SplitsLongLines,
    SkipsEmptyLines,
    LosesLastLine,
    PassOnlyWithoutMove,
    RefusesPassAfterTheEnd,
    StopsAtTheEnd,
    AnyEmptySquare,
    WhiteAnswersNonsense,
    WhiteTakesFewest,
    TiesLatest,
    TiesByColumn,
    DifferenceOfWhite,
    DifferenceBeforeReply,
    PlusSign,
    DashForPass,
    LettersExchanged,
    NoRowNumbers,
}

fn reversi(input: &[u8], bug: ReversiBug) -> Vec<u8> {
    use ReversiBug as B;
    let mut lines: Vec<Vec<u8>> = input.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    if lines.pop_if(|last| last.is_empty()).is_none() && bug == B::LosesLastLine {
        lines.pop();
    }
    if bug == B::SplitsLongLines {
        lines = lines
            .iter()
            .flat_map(|line| match line.len() {
                0 => vec![Vec::new()],
                _ => line.chunks(65_536).map(<[u8]>::to_vec).collect(),
            })
            .collect();
    }
    let mut board = Position::start().board();
    let mut out = Vec::new();
    if bug != B::NoFirstDiagram {
        diagram(&board, bug, &mut out);
    }
    for line in lines {
        let line = match bug {
            B::Trims => line.trim_ascii().to_vec(),
            B::TrimsEnd => line.trim_ascii_end().to_vec(),
            B::IgnoresCase => line.to_ascii_lowercase(),
            B::IgnoresCarriageReturn => line.strip_suffix(b"\r").unwrap_or(&line).to_vec(),
            B::ReadsTwoCharacters => line[..line.len().min(2)].to_vec(),
            B::EndsAtNul => line.split(|b| *b == 0).next().unwrap_or_default().to_vec(),
            B::SkipsEmptyLines if line.is_empty() => continue,
            _ => line,
        };
        let over = board.moves().is_empty() && board.pass().moves().is_empty();
        if over && bug == B::StopsAtTheEnd {
            break;
        }
        let square = std::str::from_utf8(&line)
            .ok()
            .filter(|text| text.len() == 2 && !text.bytes().any(|b| b.is_ascii_uppercase()))
            .and_then(|text| text.parse::<Square>().ok());
        let moved = match square {
            Some(square) if board.moves().contains(square) => Some(board.play(square)),
            Some(square)
                if bug == B::AnyEmptySquare
                    && !board.own.contains(square)
                    && !board.other.contains(square) =>
            {
                let mut next = board;
                next.own.0 |= 1 << square.index();
                Some(next.pass())
            }
            _ if line == b"=" && !refused(&board, over, bug) => Some(board.pass()),
            _ if bug == B::WhiteAnswersNonsense => Some(board.pass()),
            _ => None,
        };
        let Some(white) = moved else {
            out.extend_from_slice(format!("? {}\n", number(board.difference(), bug)).as_bytes());
            diagram(&board, bug, &mut out);
            continue;
        };
        let reply = choose(&white, bug);
        board = reply.map_or(white.pass(), |square| white.play(square));
        let pass = if bug == B::DashForPass { "-" } else { "=" };
        let text = |square: Option<Square>| square.map_or(pass.into(), |s| s.to_string());
        let difference = match bug {
            B::DifferenceBeforeReply => -white.difference(),
            _ => board.difference(),
        };
        let black = text(square.filter(|_| line != b"="));
        let line = format!("{black} {} {}\n", text(reply), number(difference, bug));
        out.extend_from_slice(line.as_bytes());
        diagram(&board, bug, &mut out);
    }
    out
}

/// Whether the bug refuses a pass here.
fn refused(board: &Board, over: bool, bug: ReversiBug) -> bool {
    match bug {
        ReversiBug::PassOnlyWithoutMove => !board.moves().is_empty(),
        ReversiBug::RefusesPassAfterTheEnd => over,
        _ => false,
    }
}

fn number(difference: i32, bug: ReversiBug) -> String {
    match bug {
        ReversiBug::DifferenceOfWhite => (-difference).to_string(),
        ReversiBug::PlusSign => format!("{difference:+}"),
        _ => difference.to_string(),
    }
}

fn choose(white: &Board, bug: ReversiBug) -> Option<Square> {
    let key = |square: &Square| {
        let turned = white.flips(*square).len() as i32;
        let (row, column) = (i32::from(square.row()), i32::from(square.column()));
        match bug {
            ReversiBug::WhiteTakesFewest => (turned, row, column),
            ReversiBug::TiesLatest => (-turned, -row, -column),
            ReversiBug::TiesByColumn => (-turned, column, row),
            _ => (-turned, row, column),
        }
    };
    white.moves().min_by_key(key)
}

fn diagram(board: &Board, bug: ReversiBug, out: &mut Vec<u8>) {
    let discs = match bug {
        ReversiBug::LettersExchanged => b"-BC",
        _ => b"-CB",
    };
    for square in Square::all() {
        let kind =
            usize::from(board.own.contains(square)) + 2 * usize::from(board.other.contains(square));
        out.push(discs[kind]);
        if square.column() == 7 {
            if bug != ReversiBug::NoRowNumbers {
                out.push(b'1' + square.row());
            }
            out.push(b'\n');
        }
    }
    out.extend_from_slice(b"abcdefgh\n");
}

#[test]
fn every_bug_of_a_reversi_program_is_caught() {
    use ReversiBug as B;
    let bugs = [
        B::NoFirstDiagram,
        B::Trims,
        B::TrimsEnd,
        B::IgnoresCase,
        B::IgnoresCarriageReturn,
        B::ReadsTwoCharacters,
        B::EndsAtNul,
        B::SplitsLongLines,
        B::SkipsEmptyLines,
        B::LosesLastLine,
        B::PassOnlyWithoutMove,
        B::RefusesPassAfterTheEnd,
        B::StopsAtTheEnd,
        B::AnyEmptySquare,
        B::WhiteAnswersNonsense,
        B::WhiteTakesFewest,
        B::TiesLatest,
        B::TiesByColumn,
        B::DifferenceOfWhite,
        B::DifferenceBeforeReply,
        B::PlusSign,
        B::DashForPass,
        B::LettersExchanged,
        B::NoRowNumbers,
    ];
    check(Subject::Reversi, B::None, &bugs, |case, bug| {
        said(reversi(&case.input(), bug))
    });
}
