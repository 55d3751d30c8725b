//! The programs run as processes, on data files and in dialogue.

mod cases;
mod gipf;
mod mmpawns;
mod othello;
mod pipes;
mod protocol;
mod reversi;

use std::time::Duration;

/// A time that only a hang can miss, however busy the machine is.
const HANG: Duration = Duration::from_secs(300);
