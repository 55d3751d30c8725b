//! What coordinators and workers say to each other.
//!
//! Every subject carries the version of the protocol, so that nobody ever reads a message of
//! another version; only presence does not, so that a worker of another version can be told.

use std::fmt;
use std::time::Duration;

use games::{AnyPosition, GameName, Resources};
use referee::check::{Subject, WholeReport};
use referee::{
    GameRecord, GameSetup, Isolation, IsolationMode, Limits, MoveRecord, Penalties, PlayerSpec,
};
use serde::{Deserialize, Serialize};
use tournament::config::Require;

/// The version of this protocol.
pub const VERSION: u32 = 1;

/// A pair that was begun this often without a result is quarantined.
pub const MOST_TRIES: usize = 3;

/// How long a worker may be silent before its work is given to another one.
pub const ACK_WAIT: Duration = Duration::from_secs(30);

/// The header of a result that is too large for a message: where it lies in the object store.
pub(crate) const OBJECT_HEADER: &str = "Ludex-Object";

/// The streams. Work and results are queues: what is acknowledged is gone.
pub(crate) mod streams {
    pub(crate) const WORK: &str = "LUDEX_WORK";
    pub(crate) const RESULTS: &str = "LUDEX_RESULTS";
    pub(crate) const TRIES: &str = "LUDEX_TRIES";
    pub(crate) const QUARANTINE: &str = "LUDEX_QUARANTINE";
    pub(crate) const STATE: &str = "LUDEX_STATE";
    /// Buckets of the object store.
    pub(crate) const PROGRAMS: &str = "ludex-programs";
    pub(crate) const RECORDS: &str = "ludex-records";
}

/// The subjects.
pub(crate) mod subjects {
    use super::{Class, VERSION};

    pub(crate) fn work(class: Class, tournament: &str, unit: &str) -> String {
        format!("ludex.v{VERSION}.work.{class}.{tournament}.{unit}")
    }
    pub(crate) fn result(tournament: &str, unit: &str) -> String {
        format!("ludex.v{VERSION}.result.{tournament}.{unit}")
    }
    pub(crate) fn tries(tournament: &str, unit: &str) -> String {
        format!("ludex.v{VERSION}.tries.{tournament}.{unit}")
    }
    pub(crate) fn quarantine(tournament: &str, unit: &str) -> String {
        format!("ludex.v{VERSION}.quarantine.{tournament}.{unit}")
    }
    /// The time of the fixed work on a machine of the right speed.
    pub(crate) fn reference() -> String {
        format!("ludex.v{VERSION}.state.reference")
    }
    /// Who was the last to begin to run a tournament, and whether it is over.
    pub(crate) fn coordinator(tournament: &str) -> String {
        format!("ludex.v{VERSION}.state.coordinator.{tournament}")
    }
    /// What happens in games, and to programs that are graded.
    pub(crate) fn live(tournament: &str) -> String {
        format!("ludex.v{VERSION}.live.{tournament}")
    }
    /// Results that are kept, so that workers may forget them.
    pub(crate) fn accepted(tournament: &str) -> String {
        format!("ludex.v{VERSION}.accepted.{tournament}")
    }
    /// A tournament that is stopped.
    pub(crate) fn stop(tournament: &str) -> String {
        format!("ludex.v{VERSION}.stop.{tournament}")
    }
    /// Questions to the coordinator of a tournament.
    pub(crate) fn ask(tournament: &str) -> String {
        format!("ludex.v{VERSION}.ask.{tournament}")
    }
    /// What workers say about themselves, whatever their version.
    pub(crate) const PRESENCE: &str = "ludex.presence";
    /// Asks all workers to say it now.
    pub(crate) const HELLO: &str = "ludex.hello";
    /// What one worker is told.
    pub(crate) fn tell(worker: &str) -> String {
        format!("ludex.tell.{worker}")
    }
}

/// What a worker must have for a piece of work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Walls {
    /// Nothing: no strangers' programs play, or the file asks for no isolation.
    None,
    /// Programs are kept apart by namespaces, `bwrap` or Landlock.
    Apart,
    /// The same, and every limit is measured.
    Limits,
    /// The same, and nothing is missing in the walls.
    Whole,
}

/// How much the clock matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timing {
    /// Not at all: both players do what they do however long it takes.
    Free,
    /// Machines of the right speed only.
    Timed,
    /// On machines of another speed the limits are scaled.
    Scaled,
}

/// What kind of worker can do a piece of work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Class {
    /// What it must be able to enforce.
    pub walls: Walls,
    /// Whether it must have the right speed.
    pub timing: Timing,
}

impl Class {
    /// All classes.
    pub fn all() -> impl Iterator<Item = Class> {
        let walls = [Walls::None, Walls::Apart, Walls::Limits, Walls::Whole];
        walls.into_iter().flat_map(|walls| {
            [Timing::Free, Timing::Timed, Timing::Scaled].map(|timing| Class { walls, timing })
        })
    }

    /// The class of the games of a tournament between these players.
    #[must_use]
    pub fn of(
        players: &[&PlayerSpec],
        isolation: IsolationMode,
        require: Require,
        scale: bool,
    ) -> Class {
        let programs = players.iter().any(|player| player.kind.is_program());
        let walls = match (programs, require, isolation) {
            (false, ..) => Walls::None,
            (_, Require::Walls, _) => Walls::Whole,
            (_, Require::Limits, _) => Walls::Limits,
            (_, Require::Nothing, IsolationMode::None) => Walls::None,
            (_, Require::Nothing, _) => Walls::Apart,
        };
        let on_the_clock = |player: &&PlayerSpec| match player.bot_spec() {
            Ok(bot) => {
                matches!(
                    bot.budget,
                    bots::Budget::Free | bots::Budget::Time(_) | bots::Budget::Game(_)
                ) && bot.algorithm.argument() != games::Argument::None
            }
            Err(_) => true,
        };
        let timing = match (players.iter().any(on_the_clock), scale) {
            (false, _) => Timing::Free,
            (true, false) => Timing::Timed,
            (true, true) => Timing::Scaled,
        };
        Class { walls, timing }
    }

    /// What is missing on a machine for this class.
    #[must_use]
    pub fn unmet(self, walls: &Result<Isolation, String>) -> Option<String> {
        if self.walls == Walls::None {
            return None;
        }
        let found = match walls {
            Ok(found) if found.mode == IsolationMode::None => {
                return Some(format!(
                    "programs cannot be kept apart: {}",
                    found.missing.join("; ")
                ));
            }
            Ok(found) => found,
            Err(why) => return Some(why.clone()),
        };
        let require = match self.walls {
            Walls::None | Walls::Apart => Require::Nothing,
            Walls::Limits => Require::Limits,
            Walls::Whole => Require::Walls,
        };
        require.unmet(found)
    }
}

impl fmt::Display for Class {
    /// One word of a subject.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let walls = match self.walls {
            Walls::None => "open",
            Walls::Apart => "apart",
            Walls::Limits => "limits",
            Walls::Whole => "walls",
        };
        let timing = match self.timing {
            Timing::Free => "free",
            Timing::Timed => "timed",
            Timing::Scaled => "scaled",
        };
        write!(f, "{walls}-{timing}")
    }
}

/// Games that one machine plays together: a pair, or what is left of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// The tournament.
    pub tournament: String,
    /// Its name among the work of the tournament.
    pub unit: String,
    /// What a worker must have.
    pub class: Class,
    /// After how much silence the work is given to another worker, in milliseconds.
    pub ack_wait: u64,
    /// How long the fixed work of the calibration takes on a machine of the right speed, in
    /// seconds.
    pub reference: f64,
    /// The games.
    pub games: Vec<WorkGame>,
    /// A program to be graded instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<WorkCheck>,
}

/// A program to be graded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkCheck {
    /// What it is graded as.
    pub subject: Subject,
    /// Decides the generated cases.
    pub seed: u64,
    /// How many cases are generated.
    pub generated: usize,
    /// Limits that differ from the usual ones.
    pub limits: Limits,
    /// The program.
    pub player: Seat,
}

/// One game of a piece of work. It says nothing about who the players are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkGame {
    /// Its id.
    pub id: String,
    /// The numbers of the players in the tournament.
    pub numbers: [usize; 2],
    /// The players; programs by what they are made of.
    pub players: [Seat; 2],
    /// The game.
    pub game: GameName,
    /// Where it starts.
    pub start: String,
    /// Limits of both.
    pub limits: Limits,
    /// What faults cost.
    pub penalties: Penalties,
    /// Where the random choices of built-in bots come from.
    pub seed: u64,
    /// Turns after which it is a draw.
    pub longest: u32,
    /// How programs are kept apart.
    pub isolation: IsolationMode,
}

/// A player as a worker knows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// The player, called by its number; paths are inside of the bundle.
    pub spec: PlayerSpec,
    /// SHA-256 of what its program is made of, by which it is found in the object store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
}

impl WorkGame {
    /// SHA-256 of what the programs are made of.
    #[must_use]
    pub fn bundles(&self) -> [Option<String>; 2] {
        [0, 1].map(|seat| self.players[seat].bundle.clone())
    }

    /// The game to be played, by these players.
    pub fn setup(
        &self,
        players: [PlayerSpec; 2],
        resources: Resources,
    ) -> Result<GameSetup, String> {
        let start = AnyPosition::parse(self.game, &self.start).map_err(|e| e.to_string())?;
        let mut setup = GameSetup::new(start, players);
        setup.limits = self.limits;
        setup.penalties = self.penalties;
        setup.seed = self.seed;
        setup.longest = self.longest;
        setup.isolation = self.isolation;
        setup.resources = resources;
        Ok(setup)
    }
}

/// What came of a piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The tournament.
    pub tournament: String,
    /// The piece of work.
    pub unit: String,
    /// The games, as players with numbers for names played them.
    pub games: Vec<PlayedGame>,
    /// The grade of a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<WholeReport>,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its id.
    pub id: String,
    /// The numbers of the players in the tournament.
    pub numbers: [usize; 2],
    /// SHA-256 of what their programs were made of.
    pub bundles: [Option<String>; 2],
    /// Its record.
    pub record: GameRecord,
}

/// One try to do a piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Try {
    /// Who.
    pub worker: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What went wrong, if the worker lived to say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

impl fmt::Display for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trouble = self.trouble.as_deref();
        write!(
            f,
            "{}: {}",
            self.worker,
            trouble.unwrap_or("never heard of again")
        )
    }
}

/// Work that is put aside, and all that is known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Quarantined {
    /// The work, so that it can be given out again.
    pub work: Work,
    /// What was tried.
    pub tries: Vec<Try>,
}

impl Quarantined {
    /// What is known, in a sentence.
    #[must_use]
    pub fn known(&self) -> String {
        let tries: Vec<String> = self.tries.iter().map(Try::to_string).collect();
        format!(
            "begun {} times without a result ({})",
            tries.len(),
            tries.join("; ")
        )
    }
}

/// How far a tournament is: what its last coordinator has said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Run {
    /// This machine and process runs it, or did so last.
    By(String),
    /// All games are kept: nobody needs another result.
    Over,
}

/// A question to a coordinator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// Is anybody there?
    Who,
    /// Is this piece of work still wanted?
    Wanted(String),
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// The machine and process of the coordinator.
    Here(String),
    /// Whether it is wanted.
    Wanted(bool),
}

/// What happens while something is being done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum News {
    /// In a game.
    Turns(LiveTurns),
    /// To a program that is graded.
    Cases(LiveCases),
}

impl News {
    /// The tournament or the course that it belongs to.
    pub(crate) fn tournament(&self) -> &str {
        let id = match self {
            News::Turns(turns) => &turns.id,
            News::Cases(cases) => &cases.id,
        };
        id.split('.').next().unwrap_or_default()
    }
}

/// What happens in a game that is being played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct LiveTurns {
    /// The game.
    pub(crate) id: String,
    /// Its start position, the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<String>,
    /// Turns since the last message.
    pub(crate) turns: Vec<MoveRecord>,
}

/// How far a program is that is graded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LiveCases {
    /// The course and the piece of work, with a dot between them.
    pub(crate) id: String,
    /// How many cases have been tried.
    pub(crate) tried: usize,
    /// How many there are.
    pub(crate) cases: usize,
}

/// What a worker says about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Presence {
    /// The protocol that it speaks.
    pub protocol: u32,
    /// The version of Ludex.
    pub version: String,
    /// What it calls itself.
    pub worker: String,
    /// How many games it plays at once.
    pub slots: usize,
    /// How many it is playing.
    pub busy: usize,
    /// How long the fixed work takes on each of its cores, in seconds.
    pub calibration: Vec<f64>,
    /// How programs are kept apart, or why not.
    pub walls: Result<Isolation, String>,
    /// Pairs that it has finished.
    pub finished: u64,
    /// Results that are not accepted yet.
    pub spooled: usize,
    /// What keeps it from work, if anything.
    pub troubles: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(text: &str) -> PlayerSpec {
        text.parse().unwrap()
    }

    #[track_caller]
    fn check(players: [&str; 2], isolation: IsolationMode, require: Require, expected: &str) {
        let players = players.map(player);
        let class = Class::of(&[&players[0], &players[1]], isolation, require, false);
        assert_eq!(class.to_string(), expected);
    }

    #[test]
    fn what_players_are_decides_who_may_play_them() {
        use IsolationMode::{Auto, None};
        check(["random", "greedy"], Auto, Require::Nothing, "open-free");
        check(["random", "minimax:2"], Auto, Require::Walls, "open-free");
        check(
            ["random", "alphabeta:200ms"],
            Auto,
            Require::Nothing,
            "open-timed",
        );
        check(
            ["random", "argv:./mine"],
            Auto,
            Require::Nothing,
            "apart-timed",
        );
        check(
            ["random", "argv:./mine"],
            None,
            Require::Nothing,
            "open-timed",
        );
        check(
            ["random", "argv:./mine"],
            None,
            Require::Limits,
            "limits-timed",
        );
        check(
            ["random", "argv:./mine"],
            Auto,
            Require::Walls,
            "walls-timed",
        );
    }

    #[test]
    fn walls_are_held_against_the_machine() {
        let mut found = Isolation {
            mode: IsolationMode::Namespaces,
            missing: vec!["the network is open".into()],
            unmeasured: Vec::new(),
        };
        let unmet = |walls, found: &Isolation| {
            let timing = Timing::Free;
            Class { walls, timing }.unmet(&Ok(found.clone()))
        };
        assert_eq!(unmet(Walls::Apart, &found), None);
        assert_eq!(unmet(Walls::Limits, &found), None);
        assert_eq!(unmet(Walls::Whole, &found).unwrap(), "the network is open");
        found.unmeasured.push("time is estimated".into());
        assert_eq!(unmet(Walls::Limits, &found).unwrap(), "time is estimated");
        found.mode = IsolationMode::None;
        assert_eq!(
            unmet(Walls::Apart, &found).unwrap(),
            "programs cannot be kept apart: the network is open"
        );
        assert_eq!(unmet(Walls::None, &found), None);
    }
}
