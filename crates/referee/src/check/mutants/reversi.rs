//! Reversi dialogue programs with a fault.

use ::reversi::{Board, Position, Square};
use rules::Squares;

use super::digits::in_ascii_digits;
use super::sights::faults;
use super::{Family, Wrong, said};
use crate::check::case::Case;
use crate::check::dialogues;
use crate::check::rays::Sight;

/// What a program gets wrong beside looking for moves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slip {
    None,
    NoFirstDiagram,
    Trims,
    TrimsEnd,
    TrimsStart,
    IgnoresCase,
    IgnoresCarriageReturn,
    ReadsTwoCharacters,
    EndsAtNul,
    SplitsLongLines,
    SkipsEmptyLines,
    LosesLastLine,
    StopsAtNonsense,
    PassOnlyWithoutMove,
    RefusesPassAfterTheEnd,
    StopsAtTheEnd,
    AnyEmptySquare,
    WhiteAnswersNonsense,
    WhitePassesAfterPass,
    WhiteNeverPasses,
    WhiteTakesFewest,
    WhiteTakesFirst,
    WhiteTakesLast,
    WhiteLikesCorners,
    WhiteLikesEdges,
    WhiteFearsTheAnswer,
    TiesLatest,
    TiesByColumn,
    TiesByColumnFromTheRight,
    TiesHighestRow,
    TiesLatestColumn,
    BlackTurnsNothing,
    WhiteTurnsNothing,
    TurnsOneTooFew,
    TurnsFirstRunOnly,
    TurnsLongestRunOnly,
    DifferenceOfWhite,
    DifferenceBeforeReply,
    DifferenceWithoutReply,
    CountsWhite,
    PlusSign,
    DashForPass,
    PassForPass,
    CapitalReply,
    NoReplyMove,
    CommaInReply,
    QuestionWithoutNumber,
    LettersExchanged,
    DotForEmpty,
    NoRowNumbers,
    NoColumnLetters,
    RowsFromBelow,
    BlankLineAfterDiagram,
    StartMirrored,
    /// Cuts this byte off the end of a line, or off its beginning.
    CutsEnd(u8),
    CutsStart(u8),
    /// Does not see this byte.
    Skips(u8),
    /// Ends a line at this byte, too.
    SplitsAt(u8),
    /// Sees only seven bits of a byte.
    SevenBits,
    /// Reads text, and what is none is left out.
    SkipsBrokenText,
    SkipsForeignText,
    TrimsAnyBlank,
    SkipsByteOrderMark,
    ReadsAnyDigits,
    /// Takes no more than so many turned discs for better.
    WhiteCountsAtMost(u8),
    /// The largest number that it prints.
    DifferenceAtMost(i32),
    DifferenceAtLeast(i32),
    /// The same, where nothing was played.
    QuestionAtMost(i32),
    QuestionAtLeast(i32),
}

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
        _ => Family::WrongForm,
    };
    for slip in noisy().into_iter().chain(bounds()) {
        let program = Program { slip, ..RIGHT };
        all.push(wrong(family(slip), format!("{slip:?}"), program));
    }
    all
}

/// Every byte that a program may not see, but for the line end and what commands are made of.
fn noisy() -> Vec<Slip> {
    let bytes = (0..=255_u8).filter(|byte| !byte.is_ascii_alphanumeric());
    let bytes = bytes.filter(|byte| !b"\n=".contains(byte));
    let slips: [fn(u8) -> Slip; 4] = [Slip::CutsEnd, Slip::CutsStart, Slip::Skips, Slip::SplitsAt];
    let mut all: Vec<Slip> = bytes
        .flat_map(|byte| slips.map(|slip| slip(byte)))
        .collect();
    all.extend([
        Slip::SevenBits,
        Slip::SkipsBrokenText,
        Slip::SkipsForeignText,
        Slip::TrimsAnyBlank,
        Slip::SkipsByteOrderMark,
        Slip::ReadsAnyDigits,
    ]);
    all
}

/// Numbers that are cut at a bound.
fn bounds() -> Vec<Slip> {
    let mut all: Vec<Slip> = (1..=dialogues::MOST_TURNED)
        .map(Slip::WhiteCountsAtMost)
        .collect();
    for bound in 0..dialogues::LARGEST {
        all.extend([Slip::DifferenceAtMost(bound), Slip::QuestionAtMost(bound)]);
    }
    for bound in dialogues::SMALLEST + 1..=0 {
        all.extend([Slip::DifferenceAtLeast(bound), Slip::QuestionAtLeast(bound)]);
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

const MISSES: &[Slip] = &[Slip::PassOnlyWithoutMove, Slip::WhitePassesAfterPass];

const INVENTS: &[Slip] = &[Slip::AnyEmptySquare, Slip::WhiteNeverPasses];

const RULES: &[Slip] = &[
    Slip::RefusesPassAfterTheEnd,
    Slip::StopsAtTheEnd,
    Slip::WhiteAnswersNonsense,
    Slip::WhiteTakesFewest,
    Slip::WhiteTakesFirst,
    Slip::WhiteTakesLast,
    Slip::WhiteLikesCorners,
    Slip::WhiteLikesEdges,
    Slip::WhiteFearsTheAnswer,
    Slip::TiesLatest,
    Slip::TiesByColumn,
    Slip::TiesByColumnFromTheRight,
    Slip::TiesHighestRow,
    Slip::TiesLatestColumn,
    Slip::BlackTurnsNothing,
    Slip::WhiteTurnsNothing,
    Slip::TurnsOneTooFew,
    Slip::TurnsFirstRunOnly,
    Slip::TurnsLongestRunOnly,
    Slip::DifferenceOfWhite,
    Slip::DifferenceBeforeReply,
    Slip::DifferenceWithoutReply,
    Slip::CountsWhite,
    Slip::StartMirrored,
];

const FORMS: &[Slip] = &[
    Slip::NoFirstDiagram,
    Slip::Trims,
    Slip::TrimsEnd,
    Slip::TrimsStart,
    Slip::IgnoresCase,
    Slip::IgnoresCarriageReturn,
    Slip::ReadsTwoCharacters,
    Slip::EndsAtNul,
    Slip::SplitsLongLines,
    Slip::SkipsEmptyLines,
    Slip::LosesLastLine,
    Slip::StopsAtNonsense,
    Slip::PlusSign,
    Slip::DashForPass,
    Slip::PassForPass,
    Slip::CapitalReply,
    Slip::NoReplyMove,
    Slip::CommaInReply,
    Slip::QuestionWithoutNumber,
    Slip::LettersExchanged,
    Slip::DotForEmpty,
    Slip::NoRowNumbers,
    Slip::NoColumnLetters,
    Slip::RowsFromBelow,
    Slip::BlankLineAfterDiagram,
];

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
        if line == b"=" {
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
        self.white.moves(white).min_by_key(key)
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

/// The runs that a disc turns over, one for each direction.
fn runs(board: &Board, square: Square) -> impl Iterator<Item = Squares> {
    (0..8).filter_map(move |direction| Sight::Only(1 << direction).flips(board, square))
}
