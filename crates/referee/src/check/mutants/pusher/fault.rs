//! What a player of published GIPF can get wrong about the rules.

/// A fault, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::check) enum Fault {
    None,
    PlaysTheOtherSide,
    WhiteIsAlwaysToMove,
    BlackIsAlwaysToMove,
    SeesSinglePiecesOnly,
    PushesClosedLines,
    PushesNothingAway,
    SinglePieceFirst,
    GipfPiecesAtAnyTime,
    GipfPieceForOne,
    GipfPieceFirstOnly,
    GipfPiecesOnly,
    NamesNoGipfPiece,
    PushesAfterTheEnd,
    TakesOffAndStops,
    PushesBeforeItTakes,
    ForgetsRowsBefore,
    ForgetsRowsAfter,
    ForgetsRows,
    TakesOffTheOthersRows,
    RowsOfThree,
    RowsOfFive,
    /// Sees no rows along one of the three axes.
    BlindAlong(u8),
    CountsStacksTwice,
    LeavesStacksOutOfRows,
    TakesFour,
    TakesOwnPiecesOnly,
    /// Takes what touches the row at its one end only.
    TakesBeyondOneEnd(bool),
    TakesTheWholeLine,
    TakesOneRowOnly,
    TakesRowsAtOnce,
    KeepsSinglePieces,
    KeepsTheOthersSinglePieces,
    ForgetsRowsOfKeptPieces,
}

impl Fault {
    /// Every fault that leads to moves that are not legal, or to none where there is one.
    pub(in crate::check) const INVENTIONS: &[Fault] = &[
        Fault::PlaysTheOtherSide,
        Fault::WhiteIsAlwaysToMove,
        Fault::BlackIsAlwaysToMove,
        Fault::SeesSinglePiecesOnly,
        Fault::PushesClosedLines,
        Fault::PushesNothingAway,
        Fault::SinglePieceFirst,
        Fault::GipfPiecesAtAnyTime,
        Fault::GipfPieceForOne,
        Fault::GipfPiecesOnly,
        Fault::NamesNoGipfPiece,
        Fault::PushesAfterTheEnd,
        Fault::TakesOffAndStops,
        Fault::PushesBeforeItTakes,
        Fault::ForgetsRowsBefore,
        Fault::ForgetsRowsAfter,
        Fault::ForgetsRows,
        Fault::TakesOffTheOthersRows,
        Fault::RowsOfThree,
        Fault::RowsOfFive,
        Fault::BlindAlong(0),
        Fault::BlindAlong(1),
        Fault::BlindAlong(2),
        Fault::CountsStacksTwice,
        Fault::LeavesStacksOutOfRows,
        Fault::TakesFour,
        Fault::TakesOwnPiecesOnly,
        Fault::TakesBeyondOneEnd(false),
        Fault::TakesBeyondOneEnd(true),
        Fault::TakesTheWholeLine,
        Fault::TakesOneRowOnly,
        Fault::TakesRowsAtOnce,
        Fault::KeepsSinglePieces,
        Fault::KeepsTheOthersSinglePieces,
        Fault::ForgetsRowsOfKeptPieces,
    ];

    /// Faults by which some legal moves are missed, but never all: no answer gives them away.
    pub(in crate::check) const MISSING: &[Fault] = &[Fault::GipfPieceFirstOnly];

    pub(super) fn forgets_before(self) -> bool {
        matches!(self, Fault::ForgetsRowsBefore | Fault::ForgetsRows)
    }

    pub(super) fn forgets_after(self) -> bool {
        matches!(self, Fault::ForgetsRowsAfter | Fault::ForgetsRows)
    }
}
