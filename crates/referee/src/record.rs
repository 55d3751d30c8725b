//! The record of a game: all that happened, enough to judge and to run it again.

use std::fmt;

use games::GameName;
use rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::{Blob, Isolation, Limits, Penalties, PlayerSpec, Seconds, Size, Verdict};

/// The two players of a game, as JSON names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player who moves first.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// 0 or 1: for indexing a pair.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Seat {
        match side {
            Side::First => Seat::First,
            Side::Second => Seat::Second,
        }
    }
}

impl From<Seat> for Side {
    fn from(seat: Seat) -> Side {
        match seat {
            Seat::First => Side::First,
            Seat::Second => Side::Second,
        }
    }
}

/// What a program was given: enough to run it again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Input {
    /// Arguments after the player's own command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Standard input; for an engine that keeps running, what was sent since its last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Blob>,
    /// `matrix.txt` before the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Blob>,
}

/// One turn: what was asked, what came back, and what the referee says about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Number of the turn, from 1.
    pub ply: u32,
    /// Who was asked.
    pub side: Seat,
    /// Which of the player's tries this is, from 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempt: u32,
    /// The position before, as the game writes it in one line.
    pub position: String,
    /// What the program was given; nothing for a built-in bot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub input: Input,
    /// What it answered: standard output, or `matrix.txt` afterwards.
    #[serde(default, skip_serializing_if = "Blob::is_empty")]
    pub answer: Blob,
    /// The move as the game writes it, if the answer could be read as one.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Wall time.
    pub wall: Seconds,
    /// Processor time of all processes of the player.
    pub cpu: Seconds,
    /// Most memory held at once.
    #[serde(default, skip_serializing_if = "is_default")]
    pub memory: Size,
    /// The beginning of standard error.
    #[serde(default, skip_serializing_if = "Blob::is_empty")]
    pub stderr: Blob,
    /// What the referee says.
    pub verdict: Verdict,
    /// The player's own estimate, if it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Why a game came to its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// A fault that costs the game.
    Fault {
        /// Who made it.
        side: Seat,
        /// What it was.
        verdict: Verdict,
    },
    /// A player gave up.
    Resigned {
        /// Who.
        side: Seat,
    },
    /// The machine could not start a player, or was too busy to judge its time; there is no result.
    Machine {
        /// Whose turn it was.
        side: Seat,
        /// What was wrong.
        verdict: Verdict,
    },
    /// Too many turns were lost, and nothing else happened in between.
    LostTurns {
        /// Who lost them, if only one side did and the other could only pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Seat>,
    },
    /// The longest allowed game was reached.
    TooLong {
        /// Turns allowed.
        plies: u32,
    },
    /// Stopped from outside; there is no result.
    Stopped,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules => f.write_str("by the rules"),
            Ending::Fault { side, verdict } => {
                let side = ["first", "second"][side.index()];
                write!(f, "fault of the {side} player: {verdict}")
            }
            Ending::Resigned { side } => {
                let side = ["first", "second"][side.index()];
                write!(f, "the {side} player resigned")
            }
            Ending::Machine { verdict, .. } => write!(f, "no result: {verdict}"),
            Ending::LostTurns { side: None } => f.write_str("both sides kept losing their turns"),
            Ending::LostTurns { side: Some(side) } => {
                let side = ["first", "second"][side.index()];
                write!(
                    f,
                    "the {side} player kept losing its turns, the other could only pass"
                )
            }
            Ending::TooLong { plies } => write!(f, "not over after {plies} turns"),
            Ending::Stopped => f.write_str("stopped"),
        }
    }
}

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Draw,
    /// The game was stopped, or spoilt by the machine.
    None,
}

impl From<Outcome> for Score {
    fn from(outcome: Outcome) -> Score {
        match outcome {
            Outcome::Win(Side::First) => Score::First,
            Outcome::Win(Side::Second) => Score::Second,
            Outcome::Draw => Score::Draw,
        }
    }
}

impl Score {
    /// The outcome, unless the game was stopped.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Score::First => Some(Outcome::Win(Side::First)),
            Score::Second => Some(Outcome::Win(Side::Second)),
            Score::Draw => Some(Outcome::Draw),
            Score::None => None,
        }
    }
}

/// The machine that a game was played on, where that is not the one that keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// What it calls itself.
    pub worker: String,
    /// How fast its core was just before, where 1 is the speed that counts for the tournament.
    pub speed: f64,
    /// The factor on the limits of time, if it is not 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

/// All of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Version of this form: 1.
    pub version: u32,
    /// The game.
    pub game: GameName,
    /// The start position.
    pub start: String,
    /// The two players, the first to move first.
    pub players: [PlayerSpec; 2],
    /// What each of them could use.
    pub limits: [Limits; 2],
    /// What faults cost.
    pub penalties: Penalties,
    /// Where the random choices of built-in bots came from.
    pub seed: u64,
    /// How programs were kept apart, and what could not be enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// SHA-256 of each program with all that it was given; nothing for a built-in bot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub programs: [Option<String>; 2],
    /// Where it was played, if that was another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Every turn in order.
    pub moves: Vec<MoveRecord>,
    /// The last position.
    pub end: String,
    /// Who won.
    pub score: Score,
    /// Why it ended.
    pub ending: Ending,
}

impl GameRecord {
    /// The faults of one player in order.
    pub fn faults(&self, side: Side) -> impl Iterator<Item = &MoveRecord> {
        self.moves
            .iter()
            .filter(move |mv| mv.side == side.into() && mv.verdict.is_fault())
    }

    /// The sum of wall and of processor time of one player.
    #[must_use]
    pub fn time(&self, side: Side) -> (Seconds, Seconds) {
        let own = || self.moves.iter().filter(|mv| mv.side == side.into());
        (
            Seconds(own().map(|mv| mv.wall.0).sum()),
            Seconds(own().map(|mv| mv.cpu.0).sum()),
        )
    }
}
