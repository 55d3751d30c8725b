//! Scores: final disc differences, seen by the player to move.

use search::Score;

/// The best possible score.
pub const MAX: i32 = 64;

/// The score of a search in whole discs, which is exact or not.
pub(crate) const fn score(value: i32, exact: bool) -> Score {
    if exact {
        Score::Margin(value)
    } else {
        Score::estimated_margin(value)
    }
}

/// The whole discs of a score that this engine gave.
#[must_use]
pub fn discs(score: Score) -> i32 {
    score.value() / Score::UNIT
}

/// The score of a finished game: empty squares go to the winner.
#[inline]
pub(crate) const fn final_score(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let empty = 64 - own - other;
    let difference = own - other;
    if difference > 0 {
        difference + empty
    } else if difference < 0 {
        difference - empty
    } else {
        0
    }
}
