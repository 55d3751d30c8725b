//! A course in a folder of its own, with its threads. Crate `programs` uses the same file.

use std::path::Path;
use std::sync::Arc;

use course::store::{State, VersionRow};
use course::{Course, OpenCourse, Person, Work, roster};
use handin::Upload;
use tempfile::TempDir;

use crate::fixtures::{COURSE, upload};
use crate::waiting::wait_until;

/// A course in a folder of its own.
pub(crate) struct Class {
    pub(crate) folder: TempDir,
    pub(crate) open_course: Arc<OpenCourse>,
    runtime: tokio::runtime::Runtime,
}

/// Who takes part.
pub(crate) const ROSTER: &str =
    "name,id,team,extension\nAnna,a,,\nBo,b,red,\nCeci,c,red,\nDan,d,,1h\n";

impl Class {
    pub(crate) fn new() -> Class {
        Class::with(COURSE)
    }

    pub(crate) fn with(text: &str) -> Class {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("course.toml"), text).unwrap();
        let class = Class::at(folder);
        class
            .open_course
            .store
            .add(&roster::read(ROSTER).unwrap())
            .unwrap();
        class
    }

    fn at(folder: TempDir) -> Class {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let open_course = open(&runtime, folder.path());
        Class {
            folder,
            open_course,
            runtime,
        }
    }

    /// The same course after the machine has stopped and come back.
    pub(crate) fn restarted(self) -> Class {
        let Class {
            folder,
            open_course,
            runtime,
        } = self;
        drop((open_course, runtime));
        Class::at(folder)
    }

    /// The same course with another description.
    #[allow(dead_code, reason = "not everybody who uses this file does")]
    pub(crate) fn described(self, text: &str) -> Class {
        std::fs::write(self.folder.path().join("course.toml"), text).unwrap();
        self.restarted()
    }

    /// The same course, opened otherwise.
    #[allow(dead_code, reason = "not everybody who uses this file does")]
    pub(crate) fn reopened(self, change: impl AsyncFnOnce(OpenCourse) -> OpenCourse) -> Class {
        let Class {
            folder,
            open_course,
            runtime,
        } = self;
        drop(open_course);
        let course = Course::open(folder.path()).unwrap();
        let open_course =
            runtime.block_on(async { change(OpenCourse::open(course).await.unwrap()).await });
        Class {
            folder,
            open_course: Arc::new(open_course),
            runtime,
        }
    }

    pub(crate) fn person(&self, login: &str) -> Person {
        let people = self.open_course.store.people().unwrap();
        people
            .into_iter()
            .find(|person| person.login == login)
            .unwrap()
    }

    pub(crate) fn hand_in(&self, login: &str, file: &str) -> Result<VersionRow, String> {
        self.upload(login, &[upload(file)])
    }

    pub(crate) fn upload(&self, login: &str, uploads: &[Upload]) -> Result<VersionRow, String> {
        let open_course = &self.open_course;
        let assignment = &open_course.course.assignments[0];
        let arriving = open_course.arriving();
        let version = open_course.hand_in(&self.person(login), assignment, uploads, &arriving);
        version.map_err(|error| error.to_string())
    }

    /// Lets the threads work until something is so.
    #[track_caller]
    pub(crate) fn work_until(&self, what: &str, done: impl Fn(&OpenCourse) -> bool) {
        let work = Work::start(&self.open_course, 2);
        wait_until(what, || done(&self.open_course));
        work.stop();
    }

    /// Lets the threads work until nothing waits.
    #[track_caller]
    pub(crate) fn judge(&self) {
        self.work_until("judged", |open_course| open_course.queue().unwrap() == 0);
    }

    pub(crate) fn state(&self, version: &VersionRow) -> State {
        self.open_course
            .store
            .version(version.id)
            .unwrap()
            .unwrap()
            .state
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

fn open(runtime: &tokio::runtime::Runtime, folder: &Path) -> Arc<OpenCourse> {
    let course = Course::open(folder).unwrap();
    Arc::new(runtime.block_on(OpenCourse::open(course)).unwrap())
}
