//! A course: people, assignments, hand-ins with verdicts, a ladder, finals and grades.
//!
//! A [`Course`] is read from the file `course.toml` in its folder. An [`OpenCourse`] is a course that
//! is open: it takes hand-ins, which are on the disk before they are acknowledged; [`Work`] is the
//! threads that judge them and play. Everything is kept in a [`store::Store`], and nothing that was
//! handed in or played is ever changed. Who people are stands apart from what they did, and can be
//! forgotten.
//!
//! Nothing here knows of pages.

mod arriving;
pub mod config;
pub mod exports;
mod final_games;
mod finals;
pub mod grades;
pub mod judge;
mod ladder;
pub mod names;
mod open_course;
pub mod roster;
pub mod secret;
pub mod store;
pub mod time;
mod told;
mod work;
mod workers;

pub use arriving::Arriving;
pub use config::{Assignment, Course, TEMPLATE};
pub use final_games::{FinalGame, Wanted};
pub use finals::Final;
pub use ladder::{Contender, Table};
pub use open_course::{FINALS, OpenCourse, OpenCourseError, STORE, VERSIONS};
pub use store::{Person, Role, Side, Store};
pub use work::Work;
