//! Reversi dialogue programs with a fault.

use ::reversi::{Board, Position, Square};
use rules::Squares;

use super::digits::in_ascii_digits;
use super::sights::faults;
use super::slips::{FORMS, INVENTS, MISSES, RULES, Slip, bounds, noisy, words};
use super::{Family, Wrong, said};
use crate::check::case::Case;
use crate::check::rays::{Sight, runs};

#[derive(Clone, Copy)]
struct Program {
    black: Sight,
    white: Sight,
    turns: Sight,
    slip: Slip,
}

const RIGHT: Program = Program {
    black: Sight::Right,
    white: Sight::Right,
    turns: Sight::Right,
    slip: Slip::None,
};

/// All mutants, and right programs.
pub(super) fn mutants() -> Vec<Wrong> {
    let wrong = |family, name: String, program: Program| {
        Wrong::new(family, name, move |case: &Case| {
            said(program.talk(&case.input()))
        })
    };
    let mut all = vec![
        wrong(Family::Right, "right".into(), RIGHT),
        wrong(
            Family::Right,
            "right, with slow eyes".into(),
            Program {
                black: Sight::AtMost(0, 0),
                white: Sight::AtMost(0, 0),
                turns: Sight::AtMost(0, 0),
                ..RIGHT
            },
        ),
    ];
    for fault in faults() {
        let sight = fault.sight;
        for (who, program) in [
            (
                "Black",
                Program {
                    black: sight,
                    ..RIGHT
                },
            ),
            (
                "White",
                Program {
                    white: sight,
                    ..RIGHT
                },
            ),
            (
                "turning",
                Program {
                    turns: sight,
                    ..RIGHT
                },
            ),
        ] {
            if who == "turning" && !turns_differently(sight) {
                continue;
            }
            let name = format!("{who}: {}", fault.name);
            let mut mutant = wrong(fault.family, name, program);
            mutant.equivalent = fault.equivalent.or_else(|| never_shows(sight, who));
            all.push(mutant);
        }
    }
    for (family, slips) in [
        (Family::MissesMoves, MISSES),
        (Family::InventsMoves, INVENTS),
        (Family::LosesRule, RULES),
        (Family::WrongForm, FORMS),
    ] {
        for &slip in slips {
            let program = Program { slip, ..RIGHT };
            all.push(wrong(family, format!("{slip:?}"), program));
        }
    }
    let family = |slip| match slip {
        Slip::WhiteCountsAtMost(_) => Family::LosesRule,
        Slip::AtMostAtOnce(..) | Slip::AtMostDirections(..) => Family::MissesMoves,
        _ => Family::WrongForm,
    };
    for slip in noisy().into_iter().chain(bounds()).chain(words()) {
        let program = Program { slip, ..RIGHT };
        all.push(wrong(family(slip), format!("{slip:?}"), program));
    }
    let lines = [1500, 2048, 4096, 10_000].map(Slip::LinesAtMost);
    let characters = [70_000, 100_000, 1 << 17, 500_000].map(Slip::CharactersAtMost);
    for slip in lines.into_iter().chain(characters) {
        let program = Program { slip, ..RIGHT };
        all.push(wrong(Family::WrongForm, format!("{slip:?}"), program).tires());
    }
    all
}

/// Whether a fault changes what is turned over by a legal move.
fn turns_differently(sight: Sight) -> bool {
    !matches!(
        sight,
        Sight::NeverOn(_)
            | Sight::NeverFrom(..)
            | Sight::Toggles
            | Sight::NoRunNeeded(_)
            | Sight::EitherColour(_)
            | Sight::OnOther
            | Sight::OnOwn
    )
}

/// Why a fault of looking never shows in a game from the start, if so.
fn never_shows(sight: Sight, _who: &str) -> Option<&'static str> {
    let middle = Squares(0x0000_0018_1800_0000);
    match sight {
        Sight::NeverOn(squares) if (squares & !middle).is_empty() => {
            Some("the four squares of the start are taken for good")
        }
        _ => None,
    }
}

impl Program {
    /// The whole output for this input.
    fn talk(self, input: &[u8]) -> Vec<u8> {
        let mut board = Position::start().board();
        if self.slip == Slip::StartMirrored {
            board = board.pass();
        }
        let mut out = Vec::new();
        if self.slip != Slip::NoFirstDiagram {
            self.diagram(&board, &mut out);
        }
        for line in self.lines(input) {
            match self.slip {
                Slip::StopsAt(word) if line == word.as_bytes() => break,
                Slip::Overhears(word) if line == word.as_bytes() => continue,
                _ => {}
            }
            let over = board.moves().is_empty() && board.pass().moves().is_empty();
            if over && self.slip == Slip::StopsAtTheEnd {
                break;
            }
            match self.black_move(&board, &line, over) {
                Some((black, white)) => {
                    board = self.reply(&white, black, &mut out);
                }
                None => {
                    let difference = match self.slip {
                        Slip::QuestionAtMost(bound) => board.difference().min(bound),
                        Slip::QuestionAtLeast(bound) => board.difference().max(bound),
                        _ => board.difference(),
                    };
                    let number = self.number(difference);
                    let line = match self.slip {
                        Slip::QuestionWithoutNumber => "?\n".to_string(),
                        _ => format!("? {number}\n"),
                    };
                    out.extend_from_slice(line.as_bytes());
                    if self.slip == Slip::StopsAtNonsense {
                        break;
                    }
                }
            }
            self.diagram(&board, &mut out);
        }
        out
    }

    /// The lines as the program reads them.
    fn lines(self, input: &[u8]) -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = input.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        if lines.pop_if(|last| last.is_empty()).is_none() && self.slip == Slip::LosesLastLine {
            lines.pop();
        }
        match self.slip {
            Slip::SplitsAt(end) => lines
                .iter()
                .flat_map(|line| line.split(|byte| *byte == end).map(<[u8]>::to_vec))
                .collect(),
            Slip::SplitsLongLines => lines
                .iter()
                .flat_map(|line| match line.len() {
                    0 => vec![Vec::new()],
                    _ => line.chunks(65_536).map(<[u8]>::to_vec).collect(),
                })
                .collect(),
            Slip::LinesAtMost(most) => {
                lines.truncate(most);
                lines
            }
            Slip::CharactersAtMost(most) => {
                let long = lines.iter().position(|line| line.len() > most);
                lines.truncate(long.unwrap_or(lines.len()));
                lines
            }
            Slip::SkipsEmptyLines => {
                lines.retain(|line| !line.is_empty());
                lines
            }
            _ => lines.into_iter().map(|line| self.line(line)).collect(),
        }
    }

    fn line(self, line: Vec<u8>) -> Vec<u8> {
        match self.slip {
            Slip::Trims => line.trim_ascii().to_vec(),
            Slip::TrimsEnd => line.trim_ascii_end().to_vec(),
            Slip::TrimsStart => line.trim_ascii_start().to_vec(),
            Slip::IgnoresCase => line.to_ascii_lowercase(),
            Slip::IgnoresCarriageReturn => line.strip_suffix(b"\r").unwrap_or(&line).to_vec(),
            Slip::ReadsTwoCharacters => line[..line.len().min(2)].to_vec(),
            Slip::CutsEnd(noise) => {
                let end = line.iter().rposition(|byte| *byte != noise);
                line[..end.map_or(0, |end| end + 1)].to_vec()
            }
            Slip::CutsStart(noise) => {
                let start = line.iter().position(|byte| *byte != noise);
                line[start.unwrap_or(line.len())..].to_vec()
            }
            Slip::Skips(noise) => line.into_iter().filter(|byte| *byte != noise).collect(),
            Slip::SevenBits => line.into_iter().map(|byte| byte & 0x7f).collect(),
            Slip::SkipsBrokenText => {
                let text = line.utf8_chunks().map(|chunk| chunk.valid().to_string());
                text.collect::<String>().into_bytes()
            }
            Slip::SkipsForeignText => line.into_iter().filter(u8::is_ascii).collect(),
            Slip::TrimsAnyBlank => match std::str::from_utf8(&line) {
                Ok(text) => text.trim().as_bytes().to_vec(),
                Err(_) => line,
            },
            Slip::SkipsByteOrderMark => {
                let rest = line.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec);
                rest.unwrap_or(line)
            }
            Slip::ReadsAnyDigits => match std::str::from_utf8(&line) {
                Ok(text) => in_ascii_digits(text).into_bytes(),
                Err(_) => line,
            },
            Slip::EndsAtNul => line.split(|b| *b == 0).next().unwrap_or_default().to_vec(),
            _ => line,
        }
    }

    /// Black's move and the board with White to move; `None` for nonsense.
    fn black_move(self, board: &Board, line: &[u8], over: bool) -> Option<(Option<Square>, Board)> {
        let passes = matches!(self.slip, Slip::PassesAt(word) if line == word.as_bytes());
        if line == b"=" || passes {
            let refused = match self.slip {
                Slip::PassOnlyWithoutMove => !board.moves().is_empty(),
                Slip::RefusesPassAfterTheEnd => over,
                _ => false,
            };
            return (!refused).then_some((None, board.pass()));
        }
        let square = std::str::from_utf8(line)
            .ok()
            .filter(|text| text.len() == 2 && !text.bytes().any(|b| b.is_ascii_uppercase()))
            .and_then(|text| text.parse::<Square>().ok());
        let free = |square: &Square| board.empty().contains(*square);
        let legal = square.filter(|square| match self.slip {
            Slip::AnyEmptySquare => free(square),
            _ if self.is_too_much(0, board, *square) => false,
            _ => self.black.flips(board, *square).is_some(),
        });
        match legal {
            Some(square) => {
                let keeps = self.slip == Slip::BlackTurnsNothing;
                Some((Some(square), self.play(board, square, self.black, keeps)))
            }
            None if self.slip == Slip::WhiteAnswersNonsense => Some((None, board.pass())),
            None => None,
        }
    }

    /// The board after a disc, for the opponent to move.
    fn play(self, board: &Board, square: Square, sight: Sight, keeps: bool) -> Board {
        let seen = match self.turns {
            Sight::Right => sight.flips(board, square),
            turns => turns.flips(board, square),
        };
        let mut flips = seen.unwrap_or_default();
        match self.slip {
            _ if keeps => flips = Squares::NONE,
            Slip::TurnsOneTooFew if flips.len() > 3 => {
                flips.next();
            }
            Slip::TurnsFirstRunOnly => flips = runs(board, square).next().unwrap_or_default(),
            Slip::TurnsLongestRunOnly => {
                let longest = runs(board, square).max_by_key(|run| run.len());
                flips = longest.unwrap_or_default();
            }
            _ => {}
        }
        let placed: Squares = [square].into_iter().collect();
        Board {
            own: board.other & !flips & !placed,
            other: board.own | flips | placed,
        }
    }

    /// White's reply: the reply line, and the board with Black to move.
    fn reply(self, white: &Board, black: Option<Square>, out: &mut Vec<u8>) -> Board {
        let passes = black.is_none() && self.slip == Slip::WhitePassesAfterPass;
        let mut reply = self.choose(white).filter(|_| !passes);
        if reply.is_none() && self.slip == Slip::WhiteNeverPasses {
            reply = white.empty().next();
        }
        let keeps = self.slip == Slip::WhiteTurnsNothing;
        let board = reply.map_or(white.pass(), |square| {
            self.play(white, square, self.white, keeps)
        });
        let difference = match self.slip {
            Slip::DifferenceBeforeReply => -white.difference(),
            Slip::DifferenceWithoutReply => board.difference() + i32::from(reply.is_some()),
            Slip::CountsWhite => board.other.len() as i32,
            Slip::DifferenceAtMost(bound) => board.difference().min(bound),
            Slip::DifferenceAtLeast(bound) => board.difference().max(bound),
            _ => board.difference(),
        };
        let text = |square: Option<Square>| match (square, self.slip) {
            (Some(square), Slip::CapitalReply) => square.to_string().to_uppercase(),
            (Some(square), _) => square.to_string(),
            (None, Slip::DashForPass) => "-".into(),
            (None, Slip::PassForPass) => "pass".into(),
            (None, _) => "=".into(),
        };
        let number = self.number(difference);
        let (black, white) = (text(black), text(reply));
        let line = match self.slip {
            Slip::NoReplyMove => format!("{white} {number}\n"),
            Slip::CommaInReply => format!("{black}, {white}, {number}\n"),
            _ => format!("{black} {white} {number}\n"),
        };
        out.extend_from_slice(line.as_bytes());
        board
    }

    fn number(self, difference: i32) -> String {
        match self.slip {
            Slip::DifferenceOfWhite => (-difference).to_string(),
            Slip::PlusSign => format!("{difference:+}"),
            _ => difference.to_string(),
        }
    }

    fn choose(self, white: &Board) -> Option<Square> {
        let key = |square: &Square| {
            let turned = self.white.flips(white, *square).unwrap_or_default();
            let turned = turned.len() as i32;
            let (row, column) = (i32::from(square.row()), i32::from(square.column()));
            let corner = Squares::CORNERS.contains(*square);
            let edge = [0, 7].contains(&row) || [0, 7].contains(&column);
            match self.slip {
                Slip::WhiteCountsAtMost(most) => (-turned.min(most.into()), row, column),
                Slip::WhiteTakesFewest => (turned, row, column),
                Slip::WhiteTakesFirst => (0, row, column),
                Slip::WhiteTakesLast => (0, -row, -column),
                Slip::WhiteLikesCorners if corner => (-100, row, column),
                Slip::WhiteLikesEdges if edge => (-100 - turned, row, column),
                Slip::WhiteFearsTheAnswer => {
                    let answers = white.play(*square).moves().len() as i32;
                    (answers, row, column)
                }
                Slip::TiesLatest => (-turned, -row, -column),
                Slip::TiesByColumn => (-turned, column, row),
                Slip::TiesByColumnFromTheRight => (-turned, -column, row),
                Slip::TiesHighestRow => (-turned, -row, column),
                Slip::TiesLatestColumn => (-turned, row, -column),
                _ => (-turned, row, column),
            }
        };
        let moves = self.white.moves(white);
        moves
            .filter(|square| !self.is_too_much(1, white, *square))
            .min_by_key(key)
    }

    /// Whether a move turns over more than the program has room for.
    fn is_too_much(self, player: usize, board: &Board, square: Square) -> bool {
        match self.slip {
            Slip::AtMostAtOnce(who, most) => who == player && board.flips(square).len() > most,
            Slip::AtMostDirections(who, most) => {
                who == player && runs(board, square).count() > most as usize
            }
            _ => false,
        }
    }

    fn diagram(self, board: &Board, out: &mut Vec<u8>) {
        let discs = match self.slip {
            Slip::LettersExchanged => b"-BC",
            Slip::DotForEmpty => b".CB",
            _ => b"-CB",
        };
        for place in Square::all() {
            let square = match self.slip {
                Slip::RowsFromBelow => Square::new((place.index() ^ 56) as u8),
                _ => place,
            };
            let (black, white) = (board.own.contains(square), board.other.contains(square));
            out.push(discs[usize::from(black) + 2 * usize::from(white)]);
            if place.column() == 7 {
                if self.slip != Slip::NoRowNumbers {
                    out.push(b'1' + square.row());
                }
                out.push(b'\n');
            }
        }
        if self.slip != Slip::NoColumnLetters {
            out.extend_from_slice(b"abcdefgh\n");
        }
        if self.slip == Slip::BlankLineAfterDiagram {
            out.push(b'\n');
        }
    }
}
