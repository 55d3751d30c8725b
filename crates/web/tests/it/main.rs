//! The site as a service, and in a real browser.

mod api;
mod browser;
mod client;
mod driver;
mod pages;
mod safety;
