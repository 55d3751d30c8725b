//! Why a hand-in is not taken.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a hand-in is not taken: one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is wrong, and with which file.
    pub what: String,
    /// Whether the machine is to blame, not what was handed in.
    pub machine: bool,
}

impl Refusal {
    /// Something is wrong with what was handed in.
    pub(crate) fn new(what: impl Into<String>) -> Refusal {
        Refusal {
            what: what.into(),
            machine: false,
        }
    }

    /// Something is wrong with one of the files.
    pub(crate) fn of(file: &str, what: impl fmt::Display) -> Refusal {
        Refusal::new(format!("{}: {what}", shown(file)))
    }

    /// The machine failed.
    pub(crate) fn machine(path: &Path, error: &io::Error) -> Refusal {
        Refusal {
            what: format!("{}: {error}", path.display()),
            machine: true,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}

/// The name of a file as it is shown: of one line, and not too long for it.
pub(crate) fn shown(name: &str) -> String {
    const LONGEST: usize = 160;
    let name = referee::printable(name);
    match name.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &name[..cut]),
        None => name,
    }
}
