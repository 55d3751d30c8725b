//! What a course is: the content of `course.toml`.

mod file;
mod template;

use std::path::PathBuf;

use bots::BotSpec;
use games::{GameName, Kind};
use handin::Language;
use referee::check::Subject;
use referee::{Limits, PlayerSpec};
use tournament::config::FormatName;
use tournament::schedule::Format;

use crate::time::{Millis, Moment};

pub use template::TEMPLATE;

/// A course as its file describes it.
#[derive(Clone, Debug)]
pub struct Course {
    /// What people call it.
    pub name: String,
    /// Where people reach it: the beginning of links.
    pub url: String,
    /// The folder with its file and everything that is kept.
    pub folder: PathBuf,
    /// How programs are built and run.
    pub languages: Vec<Language>,
    /// The assignments, in the order of the file.
    pub assignments: Vec<Assignment>,
}

/// One assignment.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Its name in addresses.
    pub id: String,
    /// Its name on pages.
    pub title: String,
    /// What the grader grades.
    pub subject: Subject,
    /// What its programs play against each other; nothing for dialogues, which are only graded.
    pub play: Option<Play>,
    /// From when on hand-ins are taken; always if it is not said.
    pub opens: Option<Moment>,
    /// Until when hand-ins are taken; without it there is no final.
    pub deadline: Option<Moment>,
    /// Limits that differ from the usual ones.
    pub limits: Limits,
    /// How many hand-ins a team has in 24 hours.
    pub hand_ins_per_day: u32,
    /// How the grader grades.
    pub check: Check,
    /// Built-in bots to measure with, weakest first.
    pub references: Vec<Reference>,
    /// How the ladder is played.
    pub ladder: Ladder,
    /// How many challenges a team has in an hour.
    pub challenges_per_hour: u32,
    /// How the final is played.
    pub finale: Finale,
    /// What is worth how many points.
    pub grade: GradeRule,
}

/// A game that programs play, and how they are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// The game.
    pub game: GameName,
    /// How to talk to a program.
    pub kind: Kind,
}

/// How the grader grades.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    /// How many cases are generated beside those that are built in.
    pub generated: usize,
    /// What decides them, with a secret of the course and the files of a version.
    pub seed: u64,
    /// The percentage of cases that a program must pass to play.
    pub pass: f64,
}

/// A built-in bot that programs are measured with.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Which bot.
    pub bot: BotSpec,
    /// What beating it is worth.
    pub points: f64,
}

impl Reference {
    /// What tables call it.
    #[must_use]
    pub fn name(&self) -> String {
        self.bot.to_string()
    }

    /// The player.
    #[must_use]
    pub fn player(&self) -> PlayerSpec {
        PlayerSpec::bot(self.bot)
    }
}

/// How the ladder is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ladder {
    /// Whether it is.
    pub on: bool,
    /// A version plays no more games than this.
    pub games: u32,
    /// A version plays no more when its rating is known this well: half the width of the 95 %
    /// interval, in Elo points.
    pub precision: f64,
}

/// How the final is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finale {
    /// Who meets whom.
    pub format: FormatName,
    /// The number that belongs to the format.
    pub number: Option<u32>,
    /// How many pairs of games make a match.
    pub pairs: u32,
    /// Whether the references take part.
    pub references: bool,
    /// What decides the start positions.
    pub seed: u64,
}

impl Finale {
    /// The format for so many players: a Swiss has fewer rounds than players.
    #[must_use]
    pub fn format(&self, players: usize) -> Option<Format> {
        match self.format.with(self.number).ok()? {
            Format::Swiss { rounds } => {
                let most = u32::try_from(players.checked_sub(1)?).unwrap_or(u32::MAX);
                let rounds = rounds.min(most);
                (rounds > 0).then_some(Format::Swiss { rounds })
            }
            Format::Gauntlet { challengers } => {
                let challengers = challengers.min(players.checked_sub(1)?);
                (challengers > 0).then_some(Format::Gauntlet { challengers })
            }
            format => Some(format),
        }
    }
}

/// What is worth how many points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradeRule {
    /// All cases passed.
    pub cases: f64,
    /// The first place of the ladder or of the final; the last one gets nothing, those between
    /// them a share.
    pub rank_bonus: f64,
}

impl Assignment {
    /// When hand-ins end for somebody with an extension.
    #[must_use]
    pub fn deadline_with(&self, extension: Millis) -> Option<Moment> {
        self.deadline.map(|deadline| deadline.later(extension))
    }

    /// Most points that can be had.
    #[must_use]
    pub fn most_points(&self) -> f64 {
        let references = self.references.iter().map(|reference| reference.points);
        self.grade.cases + references.sum::<f64>() + self.grade.rank_bonus
    }
}

impl Course {
    /// The assignment with this name.
    #[must_use]
    pub fn assignment(&self, id: &str) -> Option<&Assignment> {
        self.assignments
            .iter()
            .find(|assignment| assignment.id == id)
    }

    /// The link of an invitation.
    #[must_use]
    pub fn link(&self, secret: &str) -> String {
        format!("{}/invite/{secret}", self.url.trim_end_matches('/'))
    }
}
