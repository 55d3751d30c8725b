//! How programs are kept from each other, from the network and from the system.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{RefereeError, process};

/// Which means of the system to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IsolationMode {
    /// The best that works here: namespaces, `bwrap`, Landlock, or none.
    #[default]
    Auto,
    /// Namespaces of processes, mounts, network and users, made by the referee itself.
    Namespaces,
    /// The same by the program `bwrap`, which may be allowed where the referee is not.
    Bwrap,
    /// Landlock: the file system is read-only but for the player's folder.
    Landlock,
    /// Resource limits and a process group only.
    None,
}

const MODES: [(IsolationMode, &str); 5] = [
    (IsolationMode::Auto, "auto"),
    (IsolationMode::Namespaces, "namespaces"),
    (IsolationMode::Bwrap, "bwrap"),
    (IsolationMode::Landlock, "landlock"),
    (IsolationMode::None, "none"),
];

impl fmt::Display for IsolationMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MODES[*self as usize].1)
    }
}

impl FromStr for IsolationMode {
    type Err = String;

    fn from_str(text: &str) -> Result<IsolationMode, String> {
        MODES
            .iter()
            .find(|(_, name)| *name == text)
            .map(|(mode, _)| *mode)
            .ok_or_else(|| format!("{text:?} is not auto, namespaces, bwrap, landlock or none"))
    }
}

/// How the programs of a game were kept apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Isolation {
    /// The means that was used.
    pub mode: IsolationMode,
    /// What could not be enforced, each as a short sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Which limits could not be measured exactly, each as a short sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<String>,
}

impl Isolation {
    /// Everything that could not be enforced.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        self.missing
            .iter()
            .chain(&self.unmeasured)
            .map(String::as_str)
    }
}

/// What this machine can do behind walls of this kind, or of the best kind: tried out once.
///
/// # Errors
/// If such walls are not to be had here.
pub fn survey(mode: IsolationMode) -> Result<Isolation, RefereeError> {
    process::resolve(mode).cloned()
}
