//! How large a hand-in may be, and what its build may use.

use referee::{IsolationMode, Limits, Seconds, Size, build_limits};
use serde::{Deserialize, Serialize};

/// How large a hand-in may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArchiveLimits {
    /// All uploaded bytes together.
    pub upload: Size,
    /// All files together, once they are unpacked.
    pub size: Size,
    /// The largest file.
    pub file: Size,
    /// How many files and folders there are.
    pub entries: usize,
    /// How deep folders are nested.
    pub depth: usize,
    /// How many times larger than an archive its content may be. Archives with little in them are
    /// not held to it.
    pub ratio: u64,
}

impl Default for ArchiveLimits {
    fn default() -> ArchiveLimits {
        ArchiveLimits {
            upload: Size::mb(16),
            size: Size::mb(64),
            file: Size::mb(32),
            entries: 2000,
            depth: 16,
            ratio: 200,
        }
    }
}

/// What a build may use, and how it is walled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BuildLimits {
    /// Time from its start to its end.
    pub wall: Seconds,
    /// Memory of all processes together.
    pub memory: Size,
    /// What it writes to standard output.
    pub output: Size,
    /// The largest file.
    pub file: Size,
    /// All files together.
    pub disk: Size,
    /// Processes and threads at once.
    pub processes: u32,
    /// The walls.
    pub isolation: IsolationMode,
}

impl Default for BuildLimits {
    fn default() -> BuildLimits {
        let usual = build_limits();
        BuildLimits {
            wall: usual.wall.unwrap_or_default(),
            memory: usual.memory.unwrap_or_default(),
            output: usual.output.unwrap_or_default(),
            file: usual.file.unwrap_or_default(),
            disk: usual.disk.unwrap_or_default(),
            processes: usual.processes.unwrap_or_default(),
            isolation: IsolationMode::Auto,
        }
    }
}

impl BuildLimits {
    /// As the referee knows them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            wall: Some(self.wall),
            memory: Some(self.memory),
            output: Some(self.output),
            file: Some(self.file),
            disk: Some(self.disk),
            processes: Some(self.processes),
            ..Limits::default()
        }
    }

    /// Checks that the limits leave anything to a build: which one is zero otherwise.
    pub fn check(&self) -> Result<(), String> {
        let sizes = [("file", self.file), ("disk", self.disk)];
        let zero = sizes.into_iter().find(|(_, size)| *size == Size(0));
        let zero = zero.map(|(name, _)| format!("{name} = 0 leaves nothing to a build"));
        match self.limits().check() {
            Err(_) => Err("a limit of 0 leaves nothing to a build".into()),
            Ok(()) => zero.map_or(Ok(()), Err),
        }
    }
}
