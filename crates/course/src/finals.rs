//! Finals: when the deadline of everybody is over, the list of versions is frozen and a
//! tournament is played. It goes on after a restart, and staff can play another one.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee::Limits;
use tournament::{Config, RawConfig, RunOptions, Standings, StoreError};

use crate::config::{Assignment, Play};
use crate::judge::{Trouble, caught};
use crate::open_course::{OpenCourse, OpenCourseError, locked};
use crate::store::{FinalRow, FrozenRow, Side, VersionRow};
use crate::time::{Moment, now};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_secs(1);

/// So long a final that cannot go on is left alone.
const REST: Duration = Duration::from_secs(60);

/// So long the table of a final that is being played is shown as it is.
const FRESH: Duration = Duration::from_secs(2);

/// The table of a final as it was last looked at.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    at: Instant,
    finished: bool,
    standings: Arc<Standings>,
}

/// A final as pages show it.
#[derive(Clone, Debug)]
pub struct Final {
    /// Its number among those of the assignment, from 1.
    pub number: u32,
    /// The list, the strongest first.
    pub list: Vec<FrozenRow>,
    /// The teams of students that have no version in the list: they come last.
    pub absent: Vec<i64>,
    /// The tournament's id.
    pub tournament: Option<String>,
    /// The table, as soon as games have been played.
    pub standings: Option<Arc<Standings>>,
    /// Whether it is over.
    pub finished: bool,
    /// Whether it counts for grades: it is no trial that was begun before the deadline was over.
    pub counts: bool,
}

/// Looks at the clock, and plays finals that are due, until the course closes.
pub(crate) fn watch(open_course: &OpenCourse) {
    let mut watch = Watch {
        open_course,
        over: BTreeSet::new(),
        resting: HashMap::new(),
    };
    while !open_course.is_stopped() {
        for assignment in &open_course.course.assignments {
            watch.look(assignment);
        }
        std::thread::sleep(TICK);
    }
}

/// Who looks at the clock.
struct Watch<'a> {
    open_course: &'a OpenCourse,
    /// What is done: finals that are over.
    over: BTreeSet<String>,
    /// What could not be done is left alone until then.
    resting: HashMap<String, Instant>,
}

impl Watch<'_> {
    /// Does what is due, the oldest final first: one that cannot be played is not in the way of the next.
    fn look(&mut self, assignment: &Assignment) {
        let (open_course, id) = (self.open_course, &assignment.id);
        self.attempt(&format!("final of {id}"), || due(open_course, assignment));
        // A list that cannot be frozen is not in the way either.
        let finals = open_course.store.finals(id).unwrap_or_default();
        for row in finals.iter().rev() {
            let what = format!("final {} of {id}", row.number);
            if let Some(tournament) = &row.tournament
                && !self.over.contains(&what)
                && self.attempt(&what, || play(open_course, assignment, row, tournament))
            {
                self.over.insert(what);
            }
        }
    }

    /// Does something, unless it was in trouble a moment ago; whether it is done. Staff are told of trouble.
    fn attempt(&mut self, what: &str, work: impl FnOnce() -> Result<(), Trouble>) -> bool {
        let open_course = self.open_course;
        let rests = self.resting.get(what);
        if open_course.is_stopped() || rests.is_some_and(|until| *until > Instant::now()) {
            return false;
        }
        match caught(work) {
            Ok(()) => {
                open_course.told.is_over(what);
                true
            }
            Err(Trouble::Stopped) => false,
            Err(Trouble::Machine(problem)) => {
                open_course.tell(what, &format!("{what}: {problem}"));
                self.resting.insert(what.into(), Instant::now() + REST);
                false
            }
        }
    }
}

/// Freezes the list of an assignment when the last deadline is over and every version that came in
/// time has its verdict, unless staff have begun a final with that very list after the deadline.
fn due(open_course: &OpenCourse, assignment: &Assignment) -> Result<(), Trouble> {
    let (Some(last), Some(_)) = (open_course.last_deadline(assignment)?, assignment.play) else {
        return Ok(());
    };
    let last = last.at;
    let mut finals = open_course.store.finals(&assignment.id)?;
    finals.retain(|row| counts(assignment, row));
    if now() <= last || finals.first().is_some_and(|row| row.at > last) {
        return Ok(());
    }
    // What began in time is in the store before it no longer arrives.
    if open_course.arrivals.any_until(last) {
        return Ok(());
    }
    let mut waiting = open_course.store.waiting()?;
    waiting.retain(|version| version.assignment == assignment.id);
    let id = &assignment.id;
    let about = format!("verdicts for the final of {id}");
    if let Some(first) = waiting.first() {
        // One may never come: staff begin it without.
        let others = match waiting.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let first = first.id;
        let what = format!("the final of {id} waits for verdicts: on version {first}{others}");
        open_course.tell(&about, &what);
        return Ok(());
    }
    open_course.told.is_over(&about);
    if let Some(latest) = finals.first() {
        let frozen = open_course.store.frozen(latest.id)?;
        let frozen: BTreeSet<i64> = frozen.iter().map(|row| row.version).collect();
        let list = open_course.finalists(assignment)?;
        if frozen == list.iter().map(|version| version.id).collect() {
            return Ok(());
        }
    }
    open_course
        .freeze(assignment, None)
        .map_err(|error| Trouble::Machine(error.to_string()))?;
    Ok(())
}

/// Whether a final counts for grades.
fn counts(assignment: &Assignment, row: &FinalRow) -> bool {
    let deadline = assignment.deadline;
    deadline.is_none_or(|deadline| row.at > deadline.at)
}

/// Plays what is left of a final, until it is over.
fn play(
    open_course: &OpenCourse,
    assignment: &Assignment,
    row: &FinalRow,
    tournament: &str,
) -> Result<(), Trouble> {
    let machine = |what: String| Trouble::Machine(what);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| machine(error.to_string()))?;
    let begun = match runtime.block_on(open_course.finals.tournament(tournament)) {
        Ok(begun) if begun.finished => return Ok(()),
        Ok(begun) => Some(begun.config),
        Err(StoreError::NoTournament(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let list = open_course.store.frozen(row.id)?;
    let versions: Vec<i64> = list.iter().map(|row| row.version).collect();
    let config = open_course
        .final_config(assignment, row.number, &versions)?
        .ok_or_else(|| machine("there is nobody to play".into()))?;
    // It is played as it was begun, whatever the file of the course says by now.
    let config = match config.id() == tournament {
        true => config,
        false => {
            let changed = "course.toml has changed since the list was frozen: play a new one";
            begun.ok_or_else(|| machine(changed.into()))?
        }
    };
    let options = RunOptions {
        concurrency: tournament::cores(),
        pin: false,
        stop: open_course.stop.clone(),
        remote: open_course.workers.as_ref().map(|w| w.remote.clone()),
        ..RunOptions::default()
    };
    let summary = runtime
        .block_on(tournament::run(&open_course.finals, &config, &options))
        .map_err(|error| machine(error.to_string()))?;
    if summary.finished {
        let what = format!("final {} of {} is over", row.number, assignment.id);
        let _ = open_course.store.note(None, &what);
        return Ok(());
    }
    if open_course.is_stopped() {
        return Err(Trouble::Stopped);
    }
    let aside = summary.quarantined.len();
    Err(machine(format!(
        "it waits for games that are put aside, since nothing came of them ({aside}): let the workers play them again"
    )))
}

impl OpenCourse {
    /// The last moment at which anybody may hand in, with all extensions.
    pub fn last_deadline(&self, assignment: &Assignment) -> Result<Option<Moment>, StoreError> {
        let longest = self.store.longest_extension()?;
        Ok(assignment.deadline_with(longest))
    }

    /// Who plays a final: the last passing version of every team of students that came before its
    /// deadline.
    fn finalists(&self, assignment: &Assignment) -> Result<Vec<VersionRow>, StoreError> {
        let before = assignment.deadline.map_or(i64::MAX, |deadline| deadline.at);
        let mut versions = self.store.active_at(&assignment.id, before)?;
        let students = self.store.teams_of_students()?;
        versions.retain(|version| students.contains(&version.team));
        Ok(versions)
    }

    /// Freezes the list of versions that play the next final. Its number. Versions that cannot be
    /// built again are left out where staff begin it, who have been told of them; else they are
    /// waited for.
    pub fn freeze(&self, assignment: &Assignment, by: Option<i64>) -> Result<u32, OpenCourseError> {
        let refused = |what: String| OpenCourseError::Refused(what);
        let Some(play) = assignment.play else {
            return Err(refused("programs of this assignment do not play".into()));
        };
        let (mut versions, mut left_out) = (Vec::new(), Vec::new());
        for version in self.finalists(assignment)? {
            match self.player(&Side::Version(version.id), play, assignment) {
                Ok(_) => versions.push(version),
                Err(Trouble::Machine(problem)) if by.is_some() => left_out.push(problem),
                Err(trouble) => {
                    let what = format!("{trouble}; a final that staff begin leaves it out");
                    return Err(refused(what));
                }
            }
        }
        let table = self.fresh_table(assignment)?;
        let strength = |version: i64| {
            let number = table.find(&Side::Version(version));
            number.map_or(f64::MIN, |number| table.players[number].rating.elo)
        };
        versions.sort_by(|a, b| {
            strength(b.id)
                .total_cmp(&strength(a.id))
                .then(a.id.cmp(&b.id))
        });
        let finals = self.store.finals(&assignment.id)?;
        let number = finals.first().map_or(1, |last| last.number + 1);
        let ids: Vec<i64> = versions.iter().map(|version| version.id).collect();
        let config = self
            .final_config(assignment, number, &ids)
            .map_err(|trouble| refused(trouble.to_string()))?;
        let tournament = config.as_ref().map(Config::id);
        let list: Vec<(i64, i64)> = versions.iter().map(|v| (v.team, v.id)).collect();
        let frozen = self
            .store
            .freeze(&assignment.id, number, &list, tournament.as_deref(), by)?;
        self.ring();
        if frozen {
            for problem in left_out {
                let what = format!(
                    "final {number} of {} goes without: {problem}",
                    assignment.id
                );
                self.store.note(by, &what)?;
            }
        }
        match frozen {
            true => Ok(number),
            false => Err(refused("somebody else has just begun a final".into())),
        }
    }

    /// The tournament of a final; nothing if there are fewer than two players. It is the same
    /// whenever it is asked for.
    fn final_config(
        &self,
        assignment: &Assignment,
        number: u32,
        versions: &[i64],
    ) -> Result<Option<Config>, Trouble> {
        let Some(play) = assignment.play else {
            return Ok(None);
        };
        let players = self.final_players(assignment, play, versions)?;
        let finale = &assignment.finale;
        let Some(format) = finale.format(players.len()).filter(|_| players.len() >= 2) else {
            return Ok(None);
        };
        let mut config = RawConfig::new(
            format!("{} final {number}", assignment.id),
            play.game,
            players,
        );
        config.format = format;
        config.pairs = finale.pairs;
        config.seed = finale.seed.wrapping_add(u64::from(number) - 1);
        config.limits = Limits::for_game(play.game).with(&assignment.limits);
        config.folder = Some(self.course.folder.clone());
        let config = Config::try_from(config);
        let config = config.map_err(|error| Trouble::Machine(error.to_string()))?;
        Ok(Some(config))
    }

    fn final_players(
        &self,
        assignment: &Assignment,
        play: Play,
        versions: &[i64],
    ) -> Result<Vec<referee::PlayerSpec>, Trouble> {
        let mut players = Vec::new();
        for version in versions {
            players.push(self.player(&Side::Version(*version), play, assignment)?);
        }
        if assignment.finale.references {
            for reference in &assignment.references {
                players.push(reference.player());
            }
        }
        Ok(players)
    }

    /// The finals of an assignment, the newest first.
    pub async fn finals_of(&self, assignment: &Assignment) -> Result<Vec<Final>, StoreError> {
        let mut finals = Vec::new();
        let students = self.store.teams_of_students()?;
        for row in self.store.finals(&assignment.id)? {
            let list = self.store.frozen(row.id)?;
            let mut absent = students.clone();
            for row in &list {
                absent.remove(&row.team);
            }
            let mut finished = row.tournament.is_none();
            let mut standings = None;
            if let Some(tournament) = &row.tournament
                && let Some(known) = self.standings_of(tournament).await?
            {
                finished = known.finished;
                standings = Some(known.standings);
            }
            finals.push(Final {
                counts: counts(assignment, &row),
                number: row.number,
                list,
                absent: absent.into_iter().collect(),
                tournament: row.tournament,
                standings,
                finished,
            });
        }
        Ok(finals)
    }

    /// The table of a final; nothing if it has not begun. It is made once when the final is over,
    /// and now and then while it is played.
    async fn standings_of(&self, tournament: &str) -> Result<Option<Known>, StoreError> {
        let known = || locked(&self.standings).get(tournament).cloned();
        // The table of a big final takes seconds. Who comes before there is one waits for it, and
        // who comes while a newer one is made sees what was there.
        let _only = match known() {
            None => self.making.lock().await,
            Some(old) if old.finished || old.at.elapsed() < FRESH => return Ok(Some(old)),
            Some(old) => match self.making.try_lock() {
                Ok(only) => only,
                Err(_) => return Ok(Some(old)),
            },
        };
        if let Some(new) = known().filter(|new| new.finished || new.at.elapsed() < FRESH) {
            return Ok(Some(new));
        }
        let finished = match self.finals.tournament(tournament).await {
            Ok(found) => found.finished,
            Err(StoreError::NoTournament(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let standings = Arc::new(self.finals.standings(tournament).await?);
        let known = Known {
            at: Instant::now(),
            finished,
            standings,
        };
        locked(&self.standings).insert(tournament.into(), known.clone());
        Ok(Some(known))
    }
}
