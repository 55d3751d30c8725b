//! What can be read from the store.

use std::fmt;

use games::GameName;
use referee::{MoveRecord, Score, Seat, Seconds, Verdict};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::schedule::{GameKey, Played};

/// A moment: milliseconds since 1970. `Display` writes `2031-05-09 14:03:59` (UTC).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Moment(pub i64);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_euclid(1000);
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil_date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
        )
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar; years begin in March here, so
/// that the leap day is the last one.
#[must_use]
pub fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let mut year = 1970 + days.div_euclid(366);
    while days_before(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut months = (2..=12).rev();
    let month = months.find(|month| days_before(year, *month, 1) <= days);
    let month = month.unwrap_or(1);
    (year, month, days - days_before(year, month, 1) + 1)
}

/// A tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TournamentRow {
    /// Its id: the name in small letters, and a number made from everything that decides
    /// how it goes.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// How players are paired.
    pub format: String,
    /// The players in the order of the list.
    pub players: Vec<PlayerRow>,
    /// How many games there will be; the least number for a knockout.
    pub planned: u64,
    /// How many are over.
    pub played: u64,
    /// Whether all are.
    pub finished: bool,
    /// When it was made.
    pub created: Moment,
    /// Everything that decides how it goes.
    pub config: Config,
}

/// A player of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerRow {
    /// Its number, from 0.
    pub number: usize,
    /// What tables call it.
    pub name: String,
    /// What it is, as people type it.
    pub spec: String,
}

/// A game without its moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameRow {
    /// Its id: that of the tournament, round, match and game.
    pub id: String,
    /// Its place in the tournament.
    pub key: GameKey,
    /// Number of the player who moved first.
    pub first: usize,
    /// Number of the other player.
    pub second: usize,
    /// Number of the start position.
    pub opening: u32,
    /// Who won; never [`Score::None`].
    pub score: Score,
    /// The kind of ending: `rules`, `fault`, `lost-turns`, `too-long`, `forfeit`.
    pub ending: String,
    /// The ending in words.
    pub ending_text: String,
    /// How many turns.
    pub turns: u32,
    /// Wall time of both players.
    pub wall: [Seconds; 2],
    /// Processor time of both players.
    pub cpu: [Seconds; 2],
    /// Wall time of the slowest move of both players.
    pub slowest: [Seconds; 2],
    /// How many faults both players made.
    pub faults: [u32; 2],
    /// Whether each player lost by its own fault or never gave a good answer.
    pub failed: [bool; 2],
    /// When it ended.
    pub finished: Moment,
}

impl GameRow {
    /// Whether nobody played because a player had been benched.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.ending == "forfeit"
    }

    /// Who met, and the points.
    #[must_use]
    pub fn played(&self) -> Played {
        Played {
            first: self.first,
            second: self.second,
            half_points: half_points(self.score),
        }
    }

    /// Which seat a player had, if any.
    #[must_use]
    pub fn seat(&self, player: usize) -> Option<Seat> {
        if player == self.first {
            Some(Seat::First)
        } else if player == self.second {
            Some(Seat::Second)
        } else {
            None
        }
    }
}

/// 2, 1 or 0 as the first player won, drew or lost.
pub(crate) fn half_points(score: Score) -> u8 {
    match score {
        Score::First => 2,
        Score::Second => 0,
        Score::Draw | Score::None => 1,
    }
}

/// A turn, with the game and the player it belongs to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TurnRow {
    /// The game's id.
    pub game: String,
    /// Its place in the record, from 1.
    pub turn: u32,
    /// Number of the player who was asked.
    pub player: usize,
    /// Number of the opponent.
    pub opponent: usize,
    /// All about it.
    pub record: MoveRecord,
}

/// A turn in which a player did something wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FaultRow {
    /// The turn.
    #[serde(flatten)]
    pub turn: TurnRow,
    /// What was wrong, in words.
    pub text: String,
}

impl FaultRow {
    /// What was wrong.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.turn.record.verdict
    }
}

/// One of the slowest turns of a player.
pub type SlowMove = TurnRow;

/// What kind of thing a note says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// A runner began to play.
    Started,
    /// A runner was asked to stop.
    Stopped,
    /// A player plays no more because it failed every time.
    Benched,
    /// All games have been played.
    Finished,
    /// Something people should know, such as what could not be enforced.
    Remark,
}

impl NoteKind {
    pub(super) const ALL: [(NoteKind, &'static str); 5] = [
        (NoteKind::Started, "started"),
        (NoteKind::Stopped, "stopped"),
        (NoteKind::Benched, "benched"),
        (NoteKind::Finished, "finished"),
        (NoteKind::Remark, "remark"),
    ];

    /// The name in the store.
    #[must_use]
    pub fn name(self) -> &'static str {
        NoteKind::ALL[self as usize].1
    }
}

/// Something worth telling about a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// The player it is about, if it is about one.
    pub player: Option<usize>,
    /// In words.
    pub text: String,
    /// When.
    pub at: Moment,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seconds: i64, text: &str) {
        assert_eq!(Moment(seconds * 1000).to_string(), text);
    }

    #[test]
    fn moments_are_written_as_dates() {
        check(0, "1970-01-01 00:00:00");
        check(951_782_399, "2000-02-28 23:59:59");
        check(951_782_400, "2000-02-29 00:00:00");
        check(951_868_800, "2000-03-01 00:00:00");
        check(1_735_689_599, "2024-12-31 23:59:59");
        check(1_735_689_600, "2025-01-01 00:00:00");
        check(4_102_444_800, "2100-01-01 00:00:00");
        check(-1, "1969-12-31 23:59:59");
    }
}
