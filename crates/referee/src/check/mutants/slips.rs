//! What a program of the Reversi dialogue can get wrong beside looking for moves.

use crate::check::{dialogues, noise};

/// What a program gets wrong beside looking for moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Slip {
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
    /// Takes a move of Black, or of White, that turns over more discs for illegal.
    AtMostAtOnce(usize, u32),
    /// The same with more directions.
    AtMostDirections(usize, u32),
    /// Stops at this word, takes it for a pass, or does not answer it.
    StopsAt(&'static str),
    PassesAt(&'static str),
    Overhears(&'static str),
    /// Breaks down after so many lines, or at a line with more characters.
    LinesAtMost(usize),
    CharactersAtMost(usize),
}

/// Every byte that a program may not see, but for the line end and what commands are made of.
pub(super) fn noisy() -> Vec<Slip> {
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

/// Words that a program understands though the document knows none.
pub(super) fn words() -> Vec<Slip> {
    let slips: [fn(&'static str) -> Slip; 3] = [Slip::StopsAt, Slip::PassesAt, Slip::Overhears];
    let words = noise::WORDS.into_iter();
    words
        .flat_map(|word| slips.map(|slip| slip(word)))
        .collect()
}

/// Numbers that are cut at a bound.
pub(super) fn bounds() -> Vec<Slip> {
    let mut all: Vec<Slip> = (1..=dialogues::MOST_TURNED)
        .map(Slip::WhiteCountsAtMost)
        .collect();
    for player in 0..2 {
        let discs = 1..dialogues::MOST_AT_ONCE[player];
        all.extend(discs.map(|most| Slip::AtMostAtOnce(player, most)));
        let directions = 1..dialogues::MOST_DIRECTIONS[player];
        all.extend(directions.map(|most| Slip::AtMostDirections(player, most)));
    }
    for bound in 0..dialogues::LARGEST {
        all.extend([Slip::DifferenceAtMost(bound), Slip::QuestionAtMost(bound)]);
    }
    for bound in dialogues::SMALLEST + 1..=0 {
        all.extend([Slip::DifferenceAtLeast(bound), Slip::QuestionAtLeast(bound)]);
    }
    all
}

pub(super) const MISSES: &[Slip] = &[Slip::PassOnlyWithoutMove, Slip::WhitePassesAfterPass];

pub(super) const INVENTS: &[Slip] = &[Slip::AnyEmptySquare, Slip::WhiteNeverPasses];

pub(super) const RULES: &[Slip] = &[
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

pub(super) const FORMS: &[Slip] = &[
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
