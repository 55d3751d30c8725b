//! Strong solutions of small variants: the value of every position that can arise.
//!
//! [`solve`] writes a table into a folder, tier by tier, so that it can be stopped at any
//! moment and go on later; [`Table`] answers questions from it; [`verify`] proves that
//! every value in it follows from those of its successors.
//!
//! Positions count once up to the twelve symmetries of the board and the exchange of the
//! colours.

mod bits;
pub(crate) mod board;
pub(crate) mod index;
mod library;
pub(crate) mod moves;
pub(crate) mod parallel;
mod retro;
mod solve;
mod space;
mod store;
mod table;
mod verify;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub use index::Tier;
pub use library::{Library, TABLES_VARIABLE, folder_name, usual_folders};
pub use solve::{Settings, solve, states};
pub use store::{Manifest, TableError, TierFacts};
pub use table::{Table, Value};
pub use verify::verify;

/// How far a solve or a proof has come; another thread may look at it at any time.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stage: Mutex<String>,
}

impl Progress {
    /// Positions dealt with in the current stage.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Positions of the current stage in all; 0 as long as nobody knows.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// What is being done, in a few words.
    #[must_use]
    pub fn stage(&self) -> String {
        self.stage
            .lock()
            .map_or_else(|_| String::new(), |stage| stage.clone())
    }

    fn begin(&self, stage: String, total: u64) {
        if let Ok(mut current) = self.stage.lock() {
            *current = stage;
        }
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn rename(&self, stage: String) {
        if let Ok(mut current) = self.stage.lock() {
            *current = stage;
        }
    }

    fn add(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }
}
