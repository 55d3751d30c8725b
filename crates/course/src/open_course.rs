//! A course that is open. It takes hand-ins; threads of its own judge them and play
//! the ladder, challenges and finals.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use handin::{ArchiveLimits, Built, Language, Upload};
use referee::PlayerSpec;
use thiserror::Error;
use tournament::runner::RemoteMachines;
use tournament::{RunError, StoreError};

use crate::arriving::{Arrivals, Arriving};
use crate::config::{Assignment, Course, Play};
use crate::finals::Known;
use crate::judge::Trouble;
use crate::ladder::Table;
use crate::names;
use crate::secret;
use crate::store::{HandIn, NotTaken, Person, Side, Store, VersionRow, keep_private};
use crate::time::Millis;
use crate::told::Told;
use crate::workers::Workers;

/// The store of a course, in its folder.
pub const STORE: &str = "course.db";

/// The games of finals, in the folder of the course.
pub const FINALS: &str = "finals.db";

/// Versions, in the folder of the course: each has `sources` and `built`.
pub const VERSIONS: &str = "versions";

/// Where hand-ins are unpacked before they are taken, and archives written before they are sent.
pub(crate) const INCOMING: &str = "incoming";

/// A course that is open.
#[derive(Debug)]
pub struct OpenCourse {
    /// What its file says.
    pub course: Course,
    /// What it keeps.
    pub store: Store,
    /// The games of finals.
    pub finals: tournament::Store,
    /// The ladders as they were last looked at, by assignment.
    pub(crate) tables: Mutex<HashMap<String, Arc<Table>>>,
    /// The tables of finals as they were last looked at, by tournament.
    pub(crate) standings: Mutex<HashMap<String, Known>>,
    /// Held by whoever makes a table of a final.
    pub(crate) making: tokio::sync::Mutex<()>,
    /// What is being done with a version right now, in words.
    pub(crate) doing: Mutex<HashMap<i64, String>>,
    /// The players of ladder games that are being played.
    pub(crate) playing: Mutex<Vec<String>>,
    /// Hand-ins that have begun to arrive.
    pub(crate) arrivals: Arrivals,
    /// Held by whoever builds a version again.
    building_again: Mutex<()>,
    /// How many versions are being built.
    pub(crate) builds: Mutex<usize>,
    /// What staff know of trouble that goes on.
    pub(crate) told: Told,
    pub(crate) stop: Arc<AtomicBool>,
    /// Other machines that play and grade instead of this one.
    pub(crate) workers: Option<Workers>,
    bell: (Mutex<u64>, Condvar),
}

/// Why something was not taken.
#[derive(Debug, Error)]
pub enum OpenCourseError {
    /// Whoever asks has to do something else: one line about it.
    #[error("{0}")]
    Refused(String),
    /// Too many of something: later.
    #[error("{0}")]
    TooMany(String),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The disk does.
    #[error("{}: {error}", path.display())]
    Disk {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl OpenCourse {
    /// Opens the course in a folder.
    pub async fn open(course: Course) -> Result<OpenCourse, OpenCourseError> {
        let store = Store::open(&course.folder.join(STORE))?;
        let path = course.folder.join(FINALS);
        let finals = tournament::Store::open(path.clone()).await?;
        keep_private(&path);
        for folder in [VERSIONS, INCOMING] {
            let folder = course.folder.join(folder);
            make_folder(&folder)?;
            // Nobody gets at what is in it, whatever its own rights are.
            let _ = referee::keep_private(&folder);
        }
        // What was not taken is nobody's.
        let incoming = course.folder.join(INCOMING);
        for entry in std::fs::read_dir(&incoming).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
        }
        Ok(OpenCourse {
            course,
            store,
            finals,
            tables: Mutex::default(),
            standings: Mutex::default(),
            making: tokio::sync::Mutex::default(),
            doing: Mutex::default(),
            playing: Mutex::default(),
            arrivals: Arrivals::default(),
            building_again: Mutex::default(),
            builds: Mutex::default(),
            told: Told::default(),
            stop: Arc::default(),
            workers: None,
            bell: Default::default(),
        })
    }

    /// The same, with other machines that play and grade. Builds stay here.
    pub async fn with_workers(
        mut self,
        remote: Arc<dyn RemoteMachines>,
    ) -> Result<OpenCourse, RunError> {
        let folder = std::fs::canonicalize(&self.course.folder);
        let folder = folder.unwrap_or_else(|_| self.course.folder.clone());
        let hash = referee::hash(folder.as_os_str().as_encoded_bytes());
        let name = format!("course-{hash:.16}");
        self.workers = Some(Workers::open(remote, &name).await?);
        Ok(self)
    }

    /// A hand-in begins to arrive: this is the moment that counts.
    #[must_use]
    pub fn arriving(&self) -> Arriving {
        self.arrivals.begin()
    }

    /// Takes a hand-in that has arrived. When this returns a version, it is on the disk.
    pub fn hand_in(
        &self,
        person: &Person,
        assignment: &Assignment,
        uploads: &[Upload],
        arriving: &Arriving,
    ) -> Result<VersionRow, OpenCourseError> {
        self.check_open(person, assignment, arriving.since)?;
        let incoming = self.course.folder.join(INCOMING).join(secret::fresh());
        make_folder(&incoming)?;
        let taken = self.take(person, assignment, uploads, arriving.since, &incoming);
        if incoming.exists() {
            let _ = std::fs::remove_dir_all(&incoming);
        }
        let version = taken?;
        self.ring();
        Ok(version)
    }

    /// Whether hand-ins of this person are taken that begin at a moment.
    pub fn check_open(
        &self,
        person: &Person,
        assignment: &Assignment,
        at: Millis,
    ) -> Result<(), OpenCourseError> {
        if let Some(opens) = assignment.opens
            && at < opens.at
            && !person.is_staff()
        {
            return Err(OpenCourseError::Refused(format!(
                "hand-ins are taken from {opens} on"
            )));
        }
        let extension = self.store.extension(person.team)?;
        if let Some(deadline) = assignment.deadline_with(extension)
            && at > deadline.at
        {
            return Err(OpenCourseError::Refused(format!(
                "the deadline was {deadline}"
            )));
        }
        Ok(())
    }

    fn take(
        &self,
        person: &Person,
        assignment: &Assignment,
        uploads: &[Upload],
        received: Millis,
        incoming: &Path,
    ) -> Result<VersionRow, OpenCourseError> {
        let sources = incoming.join("sources");
        // What fails on the machine is no fault of the hand-in, and its paths are not for students.
        let refused = |refusal: handin::Refusal| match refusal.machine {
            true => OpenCourseError::Disk {
                path: sources.clone(),
                error: io::Error::other(refusal.what.rsplit(": ").next().unwrap_or_default()),
            },
            false => OpenCourseError::Refused(refusal.what),
        };
        let found =
            handin::unpack(uploads, &sources, &ArchiveLimits::default()).map_err(refused)?;
        let language = Language::of(&found, &self.course.languages).map_err(refused)?;
        language
            .installed()
            .map_err(|missing| OpenCourseError::Refused(missing.to_string()))?;
        let hand_in = HandIn {
            team: person.team,
            person: person.id,
            assignment: &assignment.id,
            hash: &found.hash,
            language: &language.name,
            per_day: assignment.hand_ins_per_day,
            received,
        };
        let versions = self.course.folder.join(VERSIONS);
        let place = |folder: &str| {
            let to = versions.join(folder);
            // Left by a machine that stopped before the row was written.
            if to.exists() {
                std::fs::remove_dir_all(&to).map_err(|error| error.to_string())?;
            }
            let moved = sync(incoming)
                .and_then(|()| std::fs::rename(incoming, &to))
                .and_then(|()| sync(&versions));
            moved.map_err(|error| error.to_string())
        };
        match self.store.take_version(&hand_in, place)? {
            Ok(version) => Ok(version),
            Err(NotTaken::Known(number)) => Err(OpenCourseError::Refused(format!(
                "these are the very files of version {number}"
            ))),
            Err(NotTaken::TooMany(today)) => Err(OpenCourseError::TooMany(format!(
                "{today} hand-ins in 24 hours are all that a team has here"
            ))),
            Err(NotTaken::Files(problem)) => Err(OpenCourseError::Disk {
                path: versions,
                error: io::Error::other(problem),
            }),
        }
    }

    /// Gives the team of a person the pseudonym that they have chosen.
    pub fn rename(&self, person: &Person, text: &str) -> Result<(), OpenCourseError> {
        let refused = |what: String| Err(OpenCourseError::Refused(what));
        let chosen = match names::chosen(text) {
            Ok(chosen) => chosen,
            Err(problem) => return refused(problem),
        };
        let assignments = self.course.assignments.iter();
        let mut references = assignments.flat_map(|assignment| &assignment.references);
        if references.any(|reference| names::alike(&reference.name(), &chosen)) {
            return refused(format!("a reference of this course is called {chosen:?}"));
        }
        if !self.store.rename(person.team, &chosen)? {
            return refused(format!("somebody else is called {chosen:?}, or nearly so"));
        }
        self.store.note(Some(person.id), "pseudonym changed")?;
        Ok(())
    }

    /// Asks for a game against anyone's version or a reference; the number of the challenge.
    pub fn challenge(
        &self,
        person: &Person,
        assignment: &Assignment,
        other: &Side,
    ) -> Result<i64, OpenCourseError> {
        let refused = |what: &str| Err(OpenCourseError::Refused(what.into()));
        if assignment.play.is_none() {
            return refused("programs of this assignment do not play");
        }
        let active = self.store.active(&assignment.id)?;
        let Some(mine) = active.iter().find(|version| version.team == person.team) else {
            return refused("none of your versions has passed yet");
        };
        let there = match other {
            Side::Version(id) => active.iter().any(|version| version.id == *id),
            Side::Reference(name) => assignment.references.iter().any(|r| r.name() == *name),
        };
        if !there {
            return refused("the opponent does not play here any more: choose another one");
        }
        if *other == Side::Version(mine.id) {
            return refused("this is your own version");
        }
        let players = [Side::Version(mine.id), other.clone()];
        let per_hour = assignment.challenges_per_hour;
        let asked = self
            .store
            .challenge(&assignment.id, person.team, &players, per_hour)?;
        self.ring();
        asked.ok_or_else(|| {
            OpenCourseError::TooMany(format!(
                "{per_hour} challenges in an hour are all that a team has here"
            ))
        })
    }

    /// The player that a game names so.
    pub(crate) fn player(
        &self,
        side: &Side,
        play: Play,
        assignment: &Assignment,
    ) -> Result<PlayerSpec, Trouble> {
        let missing = |what: String| Trouble::Machine(format!("there is no {what}"));
        match side {
            Side::Reference(name) => {
                let mut references = assignment.references.iter();
                let reference = references.find(|reference| reference.name() == *name);
                let reference = reference.ok_or_else(|| missing(format!("reference {name}")))?;
                Ok(reference.player())
            }
            Side::Version(id) => {
                let version = self.store.version(*id)?;
                let version = version.ok_or_else(|| missing(format!("version {id}")))?;
                let mut player = self.built(&version)?.player(play.kind);
                player.name = side.key();
                Ok(player)
            }
        }
    }

    /// What was built of a version. What a machine that stopped has spoilt is built again.
    pub(crate) fn built(&self, version: &VersionRow) -> Result<Built, Trouble> {
        if let Ok(built) = self.read_built(version) {
            return Ok(built);
        }
        // Whoever waits here finds it built.
        let _only = locked(&self.building_again);
        let problem = match self.read_built(version) {
            Ok(built) => return Ok(built),
            Err(problem) => problem,
        };
        let id = version.id;
        let what = format!("version {id} is built again: {problem}");
        self.tell(&format!("files of version {id}"), &what);
        let built = self.build(version);
        locked(&self.doing).remove(&id);
        match built? {
            (true, ..) => self.read_built(version).map_err(Trouble::Machine),
            (false, problem, ..) => Err(Trouble::Machine(format!(
                "version {id} cannot be built again: {problem}"
            ))),
        }
    }

    fn read_built(&self, version: &VersionRow) -> Result<Built, String> {
        let folder = self.folder(version);
        let path = folder.join("built.json");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut built: Built =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        // The folder of a course may be moved.
        built.folder = folder.join("built");
        Ok(built)
    }

    /// The folder of a version.
    #[must_use]
    pub fn folder(&self, version: &VersionRow) -> PathBuf {
        self.course.folder.join(VERSIONS).join(version.folder())
    }

    /// How many versions are judged before this one, and what is being done with it.
    pub fn place(&self, version: &VersionRow) -> Result<(usize, Option<String>), StoreError> {
        let waiting = self.store.waiting()?;
        let doing = locked(&self.doing);
        let mut line = waiting.iter().map(|other| other.id);
        let before = line.by_ref().take_while(|id| *id != version.id).count();
        // What is being judged came first, whoever would be next now.
        let begun = line.filter(|id| doing.contains_key(id)).count();
        Ok((before + begun, doing.get(&version.id).cloned()))
    }

    /// How many versions wait.
    pub fn queue(&self) -> Result<usize, StoreError> {
        Ok(self.store.waiting()?.len())
    }

    pub(crate) fn says(&self, version: i64, what: String) {
        locked(&self.doing).insert(version, what);
    }

    /// Threads may work, also after others have been stopped.
    pub(crate) fn begin(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Asks the threads to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ring();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Wakes whoever waits for something to do.
    pub(crate) fn ring(&self) {
        *locked(&self.bell.0) += 1;
        self.bell.1.notify_all();
    }

    /// Waits until there may be something to do.
    pub(crate) fn wait(&self, most: Duration) {
        let bell = locked(&self.bell.0);
        if !self.is_stopped() {
            drop(self.bell.1.wait_timeout(bell, most));
        }
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept here is whole whatever panicked while it was locked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn make_folder(path: &Path) -> Result<(), OpenCourseError> {
    referee::private_folder(path).map_err(|error| OpenCourseError::Disk {
        path: path.into(),
        error,
    })
}

/// Waits until what stands in a folder is on the disk.
fn sync(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}
