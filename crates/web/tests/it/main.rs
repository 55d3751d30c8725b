//! The site as a service, and in a real browser.

mod analysis;
mod api;
#[path = "../../../handin/tests/it/bytes.rs"]
mod archives;
mod browser;
mod client;
mod course;
mod course_hostile;
mod course_visit;
mod driver;
#[path = "../../../course/tests/it/fixtures.rs"]
mod fixtures;
mod hostile;
mod learn;
mod levels;
mod library;
mod nim;
mod pages;
mod people;
mod reviews;
mod safety;
mod screenshots;
mod settings;
mod visit;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;
