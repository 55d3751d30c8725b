//! Versions that passed without work.

use course::judge::{Cases, Detail};
use course::store::{Step, StepName, VersionRow};
use course::time::now;

use crate::Class;

impl Class {
    /// A version that has passed, without anybody having looked at it.
    pub(crate) fn passed(&self, login: &str, file: &str) -> VersionRow {
        let version = self.hand_in(login, file).unwrap();
        self.pass(&version);
        version
    }

    /// Lets a version pass without anybody having looked at it.
    pub(crate) fn pass(&self, version: &VersionRow) {
        let cases = Cases {
            passed: 1,
            cases: 1,
            points: 100.0,
            ..Cases::default()
        };
        let detail = Detail {
            cases: Some(cases),
            ..Detail::default()
        };
        for name in StepName::ALL {
            let step = Step {
                name,
                at: now(),
                seconds: 0.0,
                ok: true,
                summary: String::new(),
                detail: serde_json::to_string(&detail).unwrap(),
            };
            let store = &self.open_course.store;
            let last = name == StepName::Played;
            store.add_step(version.id, &step, &[], last).unwrap();
        }
    }
}
