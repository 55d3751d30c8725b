//! Game-independent search.
//!
//! Every search takes [`Limits`] and gives a [`Report`]; a [`Clock`] between them is
//! the only thing that reads the time.

mod clock;
mod limits;
mod report;

pub use clock::Clock;
pub use limits::Limits;
pub use report::Report;
