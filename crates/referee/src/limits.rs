//! What a player may use, and what a fault costs.

use std::fmt::Display;

use games::GameName;
use serde::{Deserialize, Serialize};

use crate::{Seconds, Size};

/// No limit is larger, so that whoever adds to one or scales it gets a number.
const LONGEST_TIME: Seconds = Seconds::from_secs(366 * 24 * 3600);
const LARGEST_SIZE: Size = Size::gb(1 << 20);
const MOST_PROCESSES: u32 = 1_000_000;

/// So many turns in a row are lost in no game.
const MOST_TURNS: u32 = 1_000_000;

fn leaves<T: PartialEq>(name: &str, limit: Option<T>, nothing: T) -> Result<(), String> {
    match limit == Some(nothing) {
        true => Err(format!("{name} = 0 leaves nothing to a player")),
        false => Ok(()),
    }
}

fn at_most<T: PartialOrd + Display>(name: &str, value: Option<T>, most: T) -> Result<(), String> {
    match value {
        Some(value) if value > most => Err(format!("{name} = {value} is more than {most}")),
        _ => Ok(()),
    }
}

/// What a player may use. `None` sets no limit of its own; see [`Limits::for_game`] for
/// the defaults of each game and [`Limits::with`] for changing some of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Wall time of one move, from the start of the program to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<Seconds>,
    /// Processor time of one move, all processes of the player together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Seconds>,
    /// Wall time of all moves of a game together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_wall: Option<Seconds>,
    /// Processor time of all moves of a game together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_cpu: Option<Seconds>,
    /// Memory of all processes of the player together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Standard output of one move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Size>,
    /// Size of one file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Size>,
    /// Size of all files in the player's folder together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Size>,
    /// Processes (and threads of them) at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
}

impl Limits {
    /// The time that the game itself sets, and sane limits for everything else.
    #[must_use]
    pub fn for_game(game: GameName) -> Limits {
        let time = game.about().limits;
        Limits {
            wall: Some(time.wall.into()),
            game_cpu: time.game_cpu.map(Seconds::from),
            memory: Some(Size::gb(1)),
            output: Some(Size::kb(64)),
            file: Some(Size::mb(16)),
            disk: Some(Size::mb(64)),
            processes: Some(32),
            ..Limits::default()
        }
    }

    /// Checks that the limits leave anything to a player, and can be computed with.
    pub fn check(&self) -> Result<(), String> {
        for (name, time) in [
            ("wall", self.wall),
            ("cpu", self.cpu),
            ("game_wall", self.game_wall),
            ("game_cpu", self.game_cpu),
        ] {
            leaves(name, time, Seconds::ZERO)?;
            at_most(name, time, LONGEST_TIME)?;
        }
        leaves("memory", self.memory, Size(0))?;
        leaves("output", self.output, Size(0))?;
        for (name, size) in [
            ("memory", self.memory),
            ("output", self.output),
            ("file", self.file),
            ("disk", self.disk),
        ] {
            at_most(name, size, LARGEST_SIZE)?;
        }
        leaves("processes", self.processes, 0)?;
        at_most("processes", self.processes, MOST_PROCESSES)
    }

    /// These limits with everything that `changes` sets.
    #[must_use]
    pub fn with(self, changes: &Limits) -> Limits {
        Limits {
            wall: changes.wall.or(self.wall),
            cpu: changes.cpu.or(self.cpu),
            game_wall: changes.game_wall.or(self.game_wall),
            game_cpu: changes.game_cpu.or(self.game_cpu),
            memory: changes.memory.or(self.memory),
            output: changes.output.or(self.output),
            file: changes.file.or(self.file),
            disk: changes.disk.or(self.disk),
            processes: changes.processes.or(self.processes),
        }
    }
}

/// What a fault costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// The turn passes to the opponent, in games where turns can be lost.
    Turn,
    /// The game is lost.
    Game,
}

/// Which clock the time written into `matrix.txt` is held against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Processor time of all processes of the player.
    Processor,
    /// Time on the wall, as the course's own tester measured.
    Wall,
}

/// How faults are punished, and how exact a written time must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Penalties {
    /// What a fault costs.
    pub cost: Cost,
    /// Answers a player may give before the fault counts.
    pub tries: u32,
    /// The game ends on the board as it stands when each side has lost this many turns
    /// in a row.
    pub lost_turns: u32,
    /// Which clock the time that a `matrix` player writes is held against.
    pub clock: Clock,
    /// How far that time may lie from the referee's clock.
    pub own_time: Seconds,
    /// How far the opponent's written time may be changed.
    pub other_time: Seconds,
}

impl Default for Penalties {
    fn default() -> Penalties {
        Penalties {
            cost: Cost::Game,
            tries: 1,
            lost_turns: 3,
            clock: Clock::Processor,
            own_time: Seconds::from_millis(500),
            other_time: Seconds::ZERO,
        }
    }
}

impl Penalties {
    /// Checks that a player is asked at all, and that turns can be computed with.
    pub fn check(&self) -> Result<(), String> {
        match (self.tries, self.lost_turns) {
            (0, _) => Err("tries = 0 leaves no answer to a player".into()),
            (_, 0) => Err("lost_turns = 0 ends every game at once".into()),
            (_, turns) => at_most("lost_turns", Some(turns), MOST_TURNS),
        }
    }

    /// The penalties that the game itself sets.
    #[must_use]
    pub fn for_game(game: GameName) -> Penalties {
        Penalties {
            cost: match game.about().fault {
                games::Cost::Turn => Cost::Turn,
                games::Cost::Game => Cost::Game,
            },
            ..Penalties::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_zero_are_refused() {
        for (json, expected) in [
            (r#"{"wall": 1, "memory": "1 MB"}"#, None),
            (
                r#"{"wall": 0}"#,
                Some("wall = 0 leaves nothing to a player"),
            ),
            (
                r#"{"game_cpu": "0 s"}"#,
                Some("game_cpu = 0 leaves nothing to a player"),
            ),
            (
                r#"{"memory": 0}"#,
                Some("memory = 0 leaves nothing to a player"),
            ),
            (
                r#"{"processes": 0}"#,
                Some("processes = 0 leaves nothing to a player"),
            ),
        ] {
            let limits: Limits = serde_json::from_str(json).unwrap();
            assert_eq!(limits.check().err().as_deref(), expected, "{json}");
        }
    }

    #[test]
    fn changes_replace_only_what_they_set() {
        let base = Limits::for_game(games::REVERSI);
        let changes: Limits =
            serde_json::from_str(r#"{"wall": "200 ms", "memory": "2 GB"}"#).unwrap();
        let both = base.with(&changes);
        assert_eq!(both.wall, Some(Seconds::from_millis(200)));
        assert_eq!(both.memory, Some(Size::gb(2)));
        assert_eq!(both.output, base.output);
        assert!(serde_json::from_str::<Limits>(r#"{"wal": 1}"#).is_err());
    }
}
