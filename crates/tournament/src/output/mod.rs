//! Results for people and programs: tables, CSV, JSON, GGF, and one HTML page.

pub mod csv;
mod ggf;
mod html;
mod json;
pub mod table;

pub use ggf::ggf;
pub use html::{ReportOptions, html};
pub use json::{Summary, json};
