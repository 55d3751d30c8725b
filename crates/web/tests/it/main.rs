//! The site as a service, and in a real browser.

mod analysis;
mod api;
mod browser;
mod client;
mod course;
mod course_visit;
mod driver;
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
