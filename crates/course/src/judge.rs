//! What happens to a version: it is built, graded, and played.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use games::AnyPosition;
use handin::{BuildError, BuildLimits};
use referee::check::{Candidate, CaseResult, CheckOptions, CheckReport, Checker, RuleScore};
use referee::{Ending, GameRecord, GameSetup, Limits, MoveRecord, Score, Verdict};
use rules::Side as Colour;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tournament::StoreError;
use tournament::runner::{Grading, panic_message};

use crate::config::{Assignment, Play};
use crate::open_course::{OpenCourse, locked};
use crate::store::{NewGame, Purpose, Side, Step, StepName, VersionRow};
use crate::time::now;
use crate::workers::AT_ONCE;

/// More about a step, as it is kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Detail {
    /// What the compiler said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub log: String,
    /// The command to see it at home.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<Cases>,
}

/// A grade by cases.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cases {
    /// How many cases passed.
    pub passed: usize,
    /// How many there are.
    pub cases: usize,
    /// From 0 to 100, as [`CheckReport::points`] has it.
    pub points: f64,
    /// Rule by rule.
    pub rules: Vec<RuleScore>,
    /// One case of every cause of failure.
    pub failures: Vec<FailedCase>,
    /// Every case: its name, its rule, and whether it passed.
    pub all: Vec<(String, String, bool)>,
}

/// A case that failed, and how many did for the same cause.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FailedCase {
    /// Its name.
    pub name: String,
    /// How many cases failed for this cause.
    pub count: usize,
    /// What is wrong.
    pub what: String,
    /// The rule that decides, in words.
    pub reason: String,
    /// The line of input that was answered wrongly.
    pub command: String,
    /// The board before it, drawn.
    pub board: String,
    /// The input, shortened.
    pub input: String,
    /// The right output where there is just one, shortened.
    pub expected: String,
    /// What the program wrote, shortened.
    pub actual: String,
    /// The end of standard error.
    pub stderr: String,
    /// The command that runs the program on the same input.
    pub reproduce: String,
}

/// Why a step was not taken: no fault of the version.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Trouble {
    /// The course is being closed.
    #[error("the course is being closed")]
    Stopped,
    /// Something is wrong with the machine; the step is taken again later.
    #[error("{0}")]
    Machine(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Machine(error.to_string())
    }
}

/// Does a piece of work. A panic is a mistake of ours: it ends this work, and not the thread.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Trouble::Machine(panic_message(panic.as_ref()))))
}

/// So much of a text is kept.
const LONGEST_TEXT: usize = 4000;

/// How often somebody who waits for a turn to build looks around.
const LOOK: Duration = Duration::from_millis(100);

/// A turn to build, until this is dropped.
struct Turn<'a> {
    open_course: &'a OpenCourse,
    version: i64,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Before the next one says that it is being built.
        locked(&self.open_course.doing).remove(&self.version);
        *locked(&self.open_course.builds) -= 1;
    }
}

impl OpenCourse {
    /// Takes the next step of a version and writes what came of it.
    pub(crate) fn take_step(&self, version: &VersionRow, step: StepName) -> Result<(), Trouble> {
        let assignment = self.course.assignment(&version.assignment).ok_or_else(|| {
            Trouble::Machine(format!("there is no assignment {}", version.assignment))
        })?;
        let begin = Instant::now();
        let (ok, summary, detail, games) = match step {
            StepName::Built => self.build(version)?,
            StepName::Graded => self.check_cases(version, assignment)?,
            StepName::Played => self.try_out(version, assignment)?,
        };
        if self.is_stopped() {
            return Err(Trouble::Stopped);
        }
        let last =
            step == StepName::Played || (step == StepName::Graded && assignment.play.is_none());
        let step = Step {
            name: step,
            at: now(),
            seconds: begin.elapsed().as_secs_f64(),
            ok,
            summary,
            detail: serde_json::to_string(&detail).unwrap_or_default(),
        };
        self.store.add_step(version.id, &step, &games, ok && last)?;
        Ok(())
    }

    /// Waits for a turn to build: however many versions wait for other machines, compilers have the
    /// processors and the memory of this one.
    fn turn(&self, version: i64) -> Result<Turn<'_>, Trouble> {
        loop {
            if self.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let mut builds = locked(&self.builds);
            if *builds < tournament::cores() {
                *builds += 1;
                drop(builds);
                self.says(version, "being built".into());
                return Ok(Turn {
                    open_course: self,
                    version,
                });
            }
            drop(builds);
            std::thread::sleep(LOOK);
        }
    }

    pub(crate) fn build(&self, version: &VersionRow) -> Result<Outcome, Trouble> {
        self.says(version.id, "waiting to be built".into());
        let _turn = self.turn(version.id)?;
        let disk = |error: std::io::Error| Trouble::Machine(error.to_string());
        let language = self.course.languages.iter();
        let language = language
            .clone()
            .find(|language| language.name == version.language)
            .ok_or_else(|| {
                Trouble::Machine(format!("there is no language {}", version.language))
            })?;
        let folder = self.folder(version);
        let into = folder.join("built");
        if into.exists() {
            fs::remove_dir_all(&into).map_err(disk)?;
        }
        let limits = BuildLimits::default();
        let built = handin::build(
            &folder.join("sources"),
            &into,
            language,
            &limits,
            &self.stop,
        );
        match built {
            Ok(built) => {
                let text = serde_json::to_string(&built).unwrap_or_default();
                files::write_private(&folder.join("built.json"), text.as_bytes()).map_err(disk)?;
                let detail = Detail {
                    log: short(built.log.as_bytes()),
                    ..Detail::default()
                };
                let summary = match language.build {
                    Some(_) => format!("built in {:.1} s", built.seconds.0.as_secs_f64()),
                    None => "nothing to build".into(),
                };
                Ok((true, summary, detail, Vec::new()))
            }
            Err(BuildError::Failed(failure)) => {
                let detail = Detail {
                    log: short(failure.log.as_bytes()),
                    command: failure.command,
                    ..Detail::default()
                };
                Ok((false, failure.what, detail, Vec::new()))
            }
            Err(BuildError::Stopped) => Err(Trouble::Stopped),
            Err(BuildError::Machine(error)) => Err(Trouble::Machine(error.to_string())),
        }
    }

    fn check_cases(
        &self,
        version: &VersionRow,
        assignment: &Assignment,
    ) -> Result<Outcome, Trouble> {
        let machine = |error: referee::RefereeError| Trouble::Machine(error.to_string());
        let seed = self.seed_of(version, assignment)?;
        let options = CheckOptions {
            seed,
            generated: assignment.check.generated,
            limits: assignment.limits,
            ..CheckOptions::default()
        };
        let checker = Checker::new(assignment.subject, &options).map_err(machine)?;
        let built = self.built(version)?;
        let candidate = Candidate {
            command: built.command,
            folder: Some(built.folder),
            read: built.read,
        };
        // The case that is being tried.
        let tell = |tried: usize, all: usize| {
            let case = (tried + 1).min(all);
            self.says(version.id, format!("being graded: case {case} of {all}"));
        };
        let grade = || match &self.workers {
            None => {
                let (mut tried, all) = (0, checker.cases());
                tell(tried, all);
                let mut observe = |_: &CaseResult| {
                    tried += 1;
                    tell(tried, all);
                };
                let graded = checker.check(&candidate, &mut observe, &self.stop);
                graded.map_err(machine)
            }
            Some(workers) => {
                self.says(version.id, "waiting for a worker".into());
                let grading = Grading {
                    subject: assignment.subject,
                    seed: options.seed,
                    generated: options.generated,
                    limits: options.limits,
                    candidate: candidate.clone(),
                };
                workers.grade(grading, &tell, &self.stop)
            }
        };
        let mut report = grade()?;
        if is_only_late(&report) && !self.is_stopped() {
            // Time alone is believed the second time: the first may be the machine's.
            let again = grade()?;
            if again.passed() > report.passed() {
                report = again;
            }
        }
        if self.is_stopped() {
            return Err(Trouble::Stopped);
        }
        let cases = cases(&report, checker.cases());
        let share = 100.0 * cases.passed as f64 / cases.cases.max(1) as f64;
        let needed = assignment.check.pass;
        let ok = share >= needed;
        let mut summary = format!("{} of {} cases passed", cases.passed, cases.cases);
        if !ok && assignment.play.is_some() {
            summary += &format!("; to play, a program needs {needed} %");
        }
        let detail = Detail {
            command: format!(
                "ludex check {} --seed {} --cases {} ./your-program",
                assignment.subject, options.seed, options.generated
            ),
            cases: Some(cases),
            ..Detail::default()
        };
        Ok((ok, summary, detail, Vec::new()))
    }

    /// Decides the cases of a version: the same whenever it is graded, but nobody can know it before
    /// the files are handed in, and what it shows helps with no other files.
    fn seed_of(&self, version: &VersionRow, assignment: &Assignment) -> Result<u64, StoreError> {
        let secret = self.store.secret()?;
        let (id, seed, hash) = (&assignment.id, assignment.check.seed, &version.hash);
        let drawn = referee::hash(format!("{secret} {id} {seed} {hash}").as_bytes());
        // Eight digits are enough for a number that people copy.
        Ok(u64::from_str_radix(&drawn[..8], 16).expect("a hash is hexadecimal"))
    }

    /// Plays against itself and once against every reference, as many games at once as can be
    /// played.
    fn try_out(&self, version: &VersionRow, assignment: &Assignment) -> Result<Outcome, Trouble> {
        let Some(play) = assignment.play else {
            return Ok((true, String::new(), Detail::default(), Vec::new()));
        };
        let me = Side::Version(version.id);
        let mut meetings = vec![[me.clone(), me.clone()]];
        for (number, reference) in assignment.references.iter().enumerate() {
            let other = Side::Reference(reference.name());
            meetings.push(match number % 2 {
                0 => [me.clone(), other],
                _ => [other, me.clone()],
            });
        }
        let next = AtomicUsize::new(0);
        let over = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, Result<GameRecord, Trouble>)>> = Mutex::default();
        let all = meetings.len();
        self.says(version.id, format!("playing: game 1 of {all}"));
        std::thread::scope(|scope| {
            for _ in 0..self.at_once().min(all) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(players) = meetings.get(number) else {
                            return;
                        };
                        let start = AnyPosition::start(play.game);
                        let seed = number as u64;
                        let ask = || self.play(players, assignment, play, start.clone(), seed);
                        let record = ask().and_then(|record| match is_late_only(&record) {
                            // Time alone is believed the second time: the first may be the machine's.
                            true if !self.is_stopped() => ask(),
                            _ => Ok(record),
                        });
                        let done = 1 + over.fetch_add(1, Ordering::Relaxed);
                        let shown = (done + 1).min(all);
                        self.says(version.id, format!("playing: game {shown} of {all}"));
                        locked(&results).push((number, record));
                    }
                });
            }
        });
        let mut results = std::mem::take(&mut *locked(&results));
        results.sort_by_key(|(number, _)| *number);
        let (mut games, mut faults, mut words) = (Vec::new(), 0, Vec::new());
        for (number, record) in results {
            let players = meetings[number].clone();
            let game = match record {
                Ok(record) => rated(assignment, Purpose::Trial, players, number as i64, record),
                Err(trouble) => Err(trouble),
            };
            let game = match game {
                Ok(game) => game,
                Err(Trouble::Machine(reason)) => {
                    self.quarantine(assignment, Purpose::Trial, &meetings[number], &reason);
                    return Err(Trouble::Machine(reason));
                }
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            };
            for (seat, colour) in Colour::BOTH.into_iter().enumerate() {
                if game.players[seat] == me {
                    faults += game.record.faults(colour).count();
                }
            }
            if let Some(seat) = (0..2).find(|seat| game.players[1 - seat] != me) {
                let Side::Reference(name) = &game.players[1 - seat] else {
                    continue;
                };
                let points = if seat == 0 {
                    game.half_points
                } else {
                    2 - game.half_points
                };
                let word = ["lost to", "drew with", "beat"][usize::from(points.min(2))];
                words.push(format!("{word} {name}"));
            }
            games.push(game);
        }
        let ok = faults == 0;
        let mut summary = match faults {
            0 => "no fault".to_string(),
            1 => "one fault".to_string(),
            many => format!("{many} faults"),
        };
        if !words.is_empty() {
            summary += &format!("; {}", words.join(", "));
        }
        Ok((ok, summary, Detail::default(), games))
    }

    /// Plays one game.
    pub(crate) fn play(
        &self,
        players: &[Side; 2],
        assignment: &Assignment,
        play: Play,
        start: AnyPosition,
        seed: u64,
    ) -> Result<GameRecord, Trouble> {
        let setup = self.setup(players, assignment, play, start, seed)?;
        let records = self.play_all(vec![setup])?;
        let record = records.into_iter().next();
        record.ok_or_else(|| Trouble::Machine("the game has no record".into()))
    }

    /// A game to be played.
    pub(crate) fn setup(
        &self,
        players: &[Side; 2],
        assignment: &Assignment,
        play: Play,
        start: AnyPosition,
        seed: u64,
    ) -> Result<GameSetup, Trouble> {
        let player = |side: &Side| self.player(side, play, assignment);
        let mut setup = GameSetup::new(start, [player(&players[0])?, player(&players[1])?]);
        setup.limits = Limits::for_game(play.game).with(&assignment.limits);
        setup.seed = seed;
        Ok(setup)
    }

    /// Plays games one after the other: here, or on another machine.
    pub(crate) fn play_all(&self, games: Vec<GameSetup>) -> Result<Vec<GameRecord>, Trouble> {
        if let Some(workers) = &self.workers {
            return workers.play(games, &self.stop);
        }
        let play = |setup: &GameSetup| {
            let played = referee::play_game(setup, &mut |_| (), &self.stop);
            let record = played.map_err(|error| Trouble::Machine(error.to_string()))?;
            match (&record.score, &record.ending) {
                (Score::None, Ending::Stopped) => Err(Trouble::Stopped),
                (Score::None, ending) => Err(Trouble::Machine(ending.to_string())),
                _ => Ok(record),
            }
        };
        games.iter().map(play).collect()
    }

    /// How many games this open course plays at once.
    pub(crate) fn at_once(&self) -> usize {
        match self.workers {
            Some(_) => AT_ONCE,
            None => tournament::cores(),
        }
    }

    /// Notes that a game is not scored. While it is tried again, it is noted once for each reason.
    pub(crate) fn quarantine(
        &self,
        assignment: &Assignment,
        purpose: Purpose,
        players: &[Side; 2],
        reason: &str,
    ) {
        if !self
            .told
            .is_new(&meeting(assignment, purpose, players), reason)
        {
            return;
        }
        // If even that cannot be written, the game is not scored all the same.
        let _ = self
            .store
            .quarantine(&assignment.id, purpose, players, reason);
    }

    /// A game has been scored: what spoils the next one is noted again.
    pub(crate) fn not_quarantined(
        &self,
        assignment: &Assignment,
        purpose: Purpose,
        players: &[Side; 2],
    ) {
        self.told.is_over(&meeting(assignment, purpose, players));
    }
}

/// What a game is called by which somebody is told of trouble.
fn meeting(assignment: &Assignment, purpose: Purpose, players: &[Side; 2]) -> String {
    let [first, second] = players.each_ref().map(Side::key);
    format!("{} {} {first} {second}", assignment.id, purpose.name())
}

/// What came of a step: whether the version got through, in a line, in full, and the games.
pub(crate) type Outcome = (bool, String, Detail, Vec<NewGame>);

/// A game as it is kept.
pub(crate) fn rated(
    assignment: &Assignment,
    purpose: Purpose,
    players: [Side; 2],
    pair: i64,
    record: GameRecord,
) -> Result<NewGame, Trouble> {
    let half_points = match record.score {
        Score::First => 2,
        Score::Draw => 1,
        Score::Second => 0,
        Score::None => return Err(Trouble::Machine(record.ending.to_string())),
    };
    Ok(NewGame {
        assignment: assignment.id.clone(),
        purpose,
        players,
        pair,
        half_points,
        record,
    })
}

/// Whether programs made faults in a game, and each of them was to take too long.
fn is_late_only(record: &GameRecord) -> bool {
    let mut faults = Colour::BOTH
        .into_iter()
        .flat_map(|colour| record.faults(colour))
        .peekable();
    let is_late = |fault: &MoveRecord| matches!(fault.verdict, Verdict::WallTime { .. });
    faults.peek().is_some() && faults.all(is_late)
}

/// Whether cases failed, and each of them since it, or those before it, ran out of time.
fn is_only_late(report: &CheckReport) -> bool {
    let mut failed = report.cases.iter().filter(|case| !case.passed()).peekable();
    // A case that was left out for that reason took no time at all.
    let is_late = |case: &CaseResult| case.timed_out || case.wall == referee::Seconds::ZERO;
    failed.peek().is_some() && failed.all(is_late)
}

fn cases(report: &CheckReport, all: usize) -> Cases {
    let failures = report.groups().into_iter().filter_map(|group| {
        let case = *group.cases.first()?;
        let failure = case.failure.as_ref()?;
        Some(FailedCase {
            name: case.name.clone(),
            count: group.cases.len(),
            what: failure.what.clone(),
            reason: failure.reason.clone().unwrap_or_default(),
            command: failure.command.clone().unwrap_or_default(),
            board: failure.board.clone().unwrap_or_default(),
            input: short(&case.input),
            expected: case.expected.as_deref().map(short).unwrap_or_default(),
            actual: short(&case.actual),
            stderr: failure.stderr.clone(),
            reproduce: case.reproduce.clone(),
        })
    });
    Cases {
        passed: report.passed(),
        // A program that is not there is tried once only.
        cases: all.max(report.cases.len()),
        points: report.points(),
        rules: report.rules(),
        failures: failures.take(20).collect(),
        all: report
            .cases
            .iter()
            .map(|case| (case.name.clone(), case.rule.clone(), case.passed()))
            .collect(),
    }
}

/// A text that is kept: its beginning.
fn short(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use games::GameName;
    use referee::{Seconds, Span};

    use super::*;

    #[test]
    fn a_panic_is_trouble_with_the_machine() {
        assert_eq!(caught(|| Ok(1)), Ok(1));
        let panicked = caught(|| -> Result<(), Trouble> { panic!("a bug") });
        let said = Trouble::Machine("panicked: a bug".into());
        assert_eq!(panicked, Err(said));
    }

    #[test]
    fn only_what_is_merely_late_is_asked_again() {
        let start = AnyPosition::start(GameName::default());
        let players = ["random", "greedy"].map(|name| name.parse().unwrap());
        let setup = GameSetup::new(start, players);
        let mut record = referee::play_game(&setup, &mut |_| (), &Default::default()).unwrap();
        assert!(!is_late_only(&record), "nothing is wrong");
        record.moves[3].verdict = Verdict::WallTime {
            used: Seconds::from_secs(2),
            limit: Seconds::from_secs(1),
            span: Span::Move,
        };
        assert!(is_late_only(&record));
        record.moves[8].verdict = Verdict::Unreadable {
            answer: "x".into(),
            reason: "no move".into(),
        };
        assert!(!is_late_only(&record));
    }
}
