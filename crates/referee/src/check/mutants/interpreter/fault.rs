//! What the interpreter can get wrong.

use ::gipf::Field;

/// What the interpreter gets wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::check::mutants) enum Fault {
    None,
    /// Does not know this way in on a board of this size.
    NoEntry(u8, u8),
    /// Pushes no more than so many stones.
    PushAtMost(usize),
    /// The last stone of a full line falls off.
    PushesOff,
    /// The new stone takes the place of the first one.
    Overwrites,
    /// The new stone is put on the first free point of the line.
    JumpsAhead,
    /// A full line is found out only if its last point is taken by the opponent.
    FullIfOther,
    /// Nothing is ever taken off.
    NoRows,
    /// Columns, rows or diagonals are not looked at.
    NoRowsAlong(usize),
    /// This line of a board of this size is not looked at.
    NoRowsOn(u8, usize),
    RunTooLong,
    RunTooShort,
    RunExactly,
    OnlyOwnRows,
    OnlyOtherRows,
    OtherRowsFirst,
    /// Only the row itself goes, without the rest of its stretch.
    RunOnly,
    /// The stretch is followed on one side only.
    StretchBack,
    StretchAhead,
    /// Gaps do not end a stretch.
    StretchOverGaps,
    OthersComeBack,
    OwnAreLost,
    AllToTheMover,
    RowsBelongToTheMover,
    /// Crossing rows all go at once.
    AllCrossing,
    /// The first of crossing rows goes without a choice.
    FirstCrossing,
    /// Rows cross only if they share a stone themselves.
    CrossingByRuns,
    /// Rows of the other colour cross a row, too.
    CrossingAnyColour,
    /// Of two rows on a line only the first one is found.
    OneRowOfALine,
    /// Rows that the opponent has when the stone is in are taken off though they are broken since.
    BrokenRowsToo,
    /// Stretches are those of before the first row was taken off.
    StretchesAsPushed,
    /// Two runs in a stretch are named by the first, by the last, or from end to end.
    FirstRunNamed,
    LastRunNamed,
    RunsNamedTogether,
    /// The length of a row is this, or the size of the board, whatever the board says.
    RunAlways(u8),
    RunIsSize,
    /// After a choice nothing more is looked for.
    OneRound,
    /// Rows that cross nothing must be chosen, too.
    AlwaysAsks,
    KeepsReserve,
    KeepsSide,
    /// Positions are generated as often as they arise.
    Twice,
    /// Only the first choice is generated.
    FirstChoice,
    /// The walk around the rim begins so many entries later.
    RimFrom(usize),
    RimBackwards,
    SourcesBackwards,
    /// Three rows to choose from come in the order found.
    ThreeInOrder,
    /// Two runs in a stretch are two of the three.
    ThreeByRuns,
    /// Any number of rows to choose from begins with the last.
    LastFirst,
    ChoicesBackwards,
    /// Rows are looked for before columns, or diagonals before both.
    LinesFrom(usize),
    MovesWithoutReserve,
    ExtOfAll,
    ExtAllWins,
    ExtLastWin,
    OverWhenOtherIsEmpty,
    OnWhenFull,
    OnWhenEmpty,
    DeadLockIsWin,
    WinnerExchanged,
    BadMoveStays,
    BadMoveForgotten,
    /// Two checks of a move in exchanged order.
    ChecksExchanged(usize),
    EndsInOrder,
    NeedlessRefused,
    ColourIgnored,
    AnyStoneOfTheRow,
    TooManyIgnored,
    MissingIgnored,
    CountsWholeMoves,
    OnlyTheMoverWins,
    SaysTheLimit,
    LooksOneTooShort,
    /// Two runs in one stretch must be chosen between.
    RunsOfAStretchClash,
    /// Of a stretch only the row itself goes back to the reserve.
    OnlyTheRowComesBack,
    /// White's rows are looked for first, whoever moves.
    WhiteRowsFirst,
    /// A choice names the ends of the stretch.
    StretchEndsNamed,
    /// A bad move is reported once.
    BadMoveToldOnce,
    /// Any command makes it forget a bad move.
    BadMoveForgottenByQuestions,
    /// A bad move is reported with its choices.
    BadMoveWithChoices,
    /// Only an empty reserve is a win at once.
    ExtByReserveOnly,
    /// A full board is a dead lock even without a reserve.
    DeadLockBeforeReserve,
    /// Boards are loaded without looking for rows along columns, rows or diagonals.
    LoadsRowsAlong(usize),
    /// Rows of this colour are not looked for.
    LoadsRowsOf(usize),
    /// Every place of a row within a longer run counts.
    LoadsEveryWindow,
    /// Runs of one line count once.
    LoadsLinesOnce,
    /// Only runs of just the length of a row count.
    LoadsExactRuns,
    LoadsBlackFirst,
    LoadsRowsFirst,
    LoadsOnlyWholeSets,
    LoadsWithoutReserves,
    LoadsAnyNumber,
    /// The totals of the players are exchanged, or White's is taken for both.
    LoadsTotalsExchanged,
    LoadsOneTotal,
    /// Runs longer than this are not found.
    LoadsRunsAtMost(usize),
    /// After an error that begins like this the board before is still there.
    LoadsKeepingAfter(&'static str),
    /// The points of this row are not counted, those of any row, or all rows together.
    LoadsAnyLengthOf(usize),
    LoadsLongRows,
    LoadsShortRows,
    LoadsAllPointsTogether,
    /// Rows may be missing, or more.
    LoadsFewerRows,
    LoadsMoreRows,
    /// Stones, or runs, are counted before the points of rows.
    LoadsStonesBeforeLengths,
    LoadsRunsBeforeLengths,
    /// Has room for so many rows to choose between, so many choices, so many generated
    /// positions, so many stones of a reserve.
    WaysAtMost(usize),
    ChoicesAtMost(usize),
    PositionsAtMost(usize),
    ReserveAtMost(u16),
    /// Positions with the same stones are taken for the same.
    SameByStones,
    /// Says that there are at most so many rows.
    LoadsRowsAtMost(usize),
    /// Scores a repetition as a tie and remembers what follows from it.
    SolvesByPath,
    /// Does not know this label on a board of this size, or takes a dot for a point, or a point
    /// for a dot.
    UnknownLabel(u8, Field),
    MistakenLabel(u8, Field),
    /// Takes everything in the smallest box around the board for a dot, or the number above the
    /// last of every column, or number 0.
    LabelsOfTheBox,
    LabelsOneBeyond,
    LabelsFromZero,
    /// Reads one digit of a label.
    LabelsOfOneDigit,
    /// Of two wrong labels the second is told.
    TellsTheLastLabel,
    /// A destination further along the line, or anywhere, will do.
    AnyPointOfTheLine,
    AnyDestination,
    /// After a bad move the other player is to move, or a stone is gone.
    BadMoveLosesTheTurn,
    BadMoveCostsAStone,
    /// After a wrong choice the stone is on the board.
    WrongChoiceKeepsThePush,
    /// Looks ahead with other rules than those of its moves.
    SearchesWith(&'static Fault),
    /// Solves no boards larger than this.
    SearchesUpTo(u8),
    /// Looks no further ahead than this.
    LooksAtMost(u32),
    /// The loser hurries, too; a win before the limit does not count; both players help.
    LoserHurries,
    OnlyOfThatLength,
    AnyPath,
    /// The length of a win is that of the first one found, not of the shortest.
    FirstWinFound,
    /// What is remembered of a position holds for every depth, or for all reserves.
    MemoryWithoutDepth,
    MemoryWithoutReserves,
    /// Solves by looking so many moves ahead.
    SolvesWithin(u32),
    /// Remembers what it has said of a board without this part of it.
    SolvesFromMemory(Part),
    WinsFromMemory(Part),
}

/// What can be forgotten of a board that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::check::mutants) enum Part {
    Numbers,
    Reserves,
    Side,
}

impl Part {
    pub(in crate::check::mutants) const ALL: [Part; 3] =
        [Part::Numbers, Part::Reserves, Part::Side];
}

impl Fault {
    /// Whether it is none: the document leaves it open.
    pub(in crate::check::mutants) fn is_right(self) -> bool {
        matches!(
            self,
            Fault::None | Fault::ThreeByRuns | Fault::SearchesWith(Fault::None)
        )
    }

    /// Whether the fault is one of `LOAD_GAME_BOARD`.
    pub(in crate::check::mutants) fn is_of_loading(self) -> bool {
        matches!(
            self,
            Fault::LoadsRowsAlong(_)
                | Fault::LoadsRowsOf(_)
                | Fault::LoadsEveryWindow
                | Fault::LoadsLinesOnce
                | Fault::LoadsExactRuns
                | Fault::LoadsBlackFirst
                | Fault::LoadsRowsFirst
                | Fault::LoadsOnlyWholeSets
                | Fault::LoadsWithoutReserves
                | Fault::LoadsAnyNumber
                | Fault::LoadsTotalsExchanged
                | Fault::LoadsOneTotal
                | Fault::LoadsRunsAtMost(_)
                | Fault::LoadsKeepingAfter(_)
                | Fault::LoadsRowsAtMost(_)
                | Fault::LoadsAnyLengthOf(_)
                | Fault::LoadsLongRows
                | Fault::LoadsShortRows
                | Fault::LoadsAllPointsTogether
                | Fault::LoadsFewerRows
                | Fault::LoadsMoreRows
                | Fault::LoadsStonesBeforeLengths
                | Fault::LoadsRunsBeforeLengths
        )
    }

    /// Whether the fault is one of reading a move.
    pub(in crate::check::mutants) fn is_of_labels(self) -> bool {
        matches!(
            self,
            Fault::UnknownLabel(..)
                | Fault::MistakenLabel(..)
                | Fault::LabelsOfTheBox
                | Fault::LabelsOneBeyond
                | Fault::LabelsFromZero
                | Fault::LabelsOfOneDigit
                | Fault::TellsTheLastLabel
                | Fault::AnyPointOfTheLine
                | Fault::AnyDestination
        )
    }

    /// Whether the fault can show on crowded boards only.
    pub(in crate::check::mutants) fn needs_crowds(self) -> bool {
        matches!(
            self,
            Fault::WaysAtMost(_)
                | Fault::ChoicesAtMost(_)
                | Fault::PositionsAtMost(_)
                | Fault::ReserveAtMost(_)
                | Fault::PushAtMost(6..)
                | Fault::OneRowOfALine
                | Fault::StretchesAsPushed
                | Fault::FirstRunNamed
                | Fault::LastRunNamed
                | Fault::RunsNamedTogether
                | Fault::CrossingAnyColour
                | Fault::BrokenRowsToo
                | Fault::SameByStones
        )
    }

    /// Whether the fault is one of looking ahead.
    pub(in crate::check::mutants) fn is_of_searching(self) -> bool {
        matches!(
            self,
            Fault::SearchesWith(_)
                | Fault::SearchesUpTo(_)
                | Fault::LooksAtMost(_)
                | Fault::LoserHurries
                | Fault::OnlyOfThatLength
                | Fault::AnyPath
                | Fault::FirstWinFound
                | Fault::MemoryWithoutDepth
                | Fault::MemoryWithoutReserves
        )
    }

    /// Whether the fault is one of `SOLVE_GAME_STATE`, or of what is remembered between commands.
    pub(in crate::check::mutants) fn is_of_solving(self) -> bool {
        matches!(
            self,
            Fault::SolvesByPath
                | Fault::SolvesWithin(_)
                | Fault::SolvesFromMemory(_)
                | Fault::WinsFromMemory(_)
        )
    }

    /// Whether the fault is one of `WINNING_SEQUENCE_EXIST`.
    pub(in crate::check::mutants) fn is_of_winning(self) -> bool {
        matches!(
            self,
            Fault::CountsWholeMoves
                | Fault::OnlyTheMoverWins
                | Fault::SaysTheLimit
                | Fault::LooksOneTooShort
        )
    }
}
