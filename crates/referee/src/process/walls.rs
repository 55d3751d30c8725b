//! Which walls this machine can build, and what each of them leaves open.

use std::ffi::CString;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use super::plan::{c_path, c_string};
use super::sandbox::{Mounts, Walls};
use super::{Launch, Process, landlock};
use crate::folder::RunFolder;
use crate::{Isolation, IsolationMode, Limits, RefereeError, Seconds};

/// Prepares walls of this kind.
pub(super) fn prepare(mode: IsolationMode, hidden: &Path, folder: &Path) -> io::Result<Walls> {
    Ok(match mode {
        IsolationMode::Namespaces => Walls::Namespaces(Box::new(Mounts::new(hidden, folder))),
        IsolationMode::Landlock => {
            Walls::Landlock(landlock::ruleset(landlock::version(), hidden, folder)?)
        }
        // `bwrap` builds its own; `Auto` has been resolved before.
        IsolationMode::Auto | IsolationMode::Bwrap | IsolationMode::None => Walls::None,
    })
}

/// What `bwrap` needs to build the same view as we do.
pub(super) fn bwrap_arguments(hidden: &Path, folder: &Path) -> Vec<CString> {
    let mut words: Vec<CString> = ["--unshare-all", "--die-with-parent", "--new-session"]
        .map(c_string)
        .into();
    for (option, paths) in [
        ("--ro-bind", vec![Path::new("/"), Path::new("/")]),
        ("--dev", vec![Path::new("/dev")]),
        ("--proc", vec![Path::new("/proc")]),
        ("--tmpfs", vec![hidden]),
        ("--bind", vec![folder, folder]),
        ("--chdir", vec![folder]),
    ] {
        words.push(c_string(option));
        words.extend(paths.into_iter().map(c_path));
    }
    words.push(c"--".into());
    words
}

/// The best way of isolating that works here, or the one that was asked for; tried out
/// once, then remembered.
pub(crate) fn resolve(mode: IsolationMode) -> Result<&'static Isolation, RefereeError> {
    static FOUND: [OnceLock<Result<Isolation, String>>; 4] = [const { OnceLock::new() }; 4];
    const ORDER: [IsolationMode; 4] = [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
        IsolationMode::None,
    ];
    let mut last = String::new();
    for (slot, candidate) in FOUND.iter().zip(ORDER) {
        if mode == IsolationMode::Auto || mode == candidate {
            match slot.get_or_init(|| probe(candidate)) {
                Ok(isolation) => return Ok(isolation),
                Err(reason) => last.clone_from(reason),
            }
        }
    }
    Err(RefereeError::Isolation {
        mode: mode.to_string(),
        reason: last,
    })
}

/// Tries one way by running `true` behind its walls.
fn probe(mode: IsolationMode) -> Result<Isolation, String> {
    // SAFETY: only reads who we are.
    let root = unsafe { libc::geteuid() } == 0;
    let mut missing: Vec<String> = Vec::new();
    match mode {
        IsolationMode::None | IsolationMode::Auto => {
            for line in [
                "the file system is open",
                "the network is open",
                "other processes can be sent signals",
                "other players' folders can be read",
            ] {
                missing.push(line.into());
            }
            return Ok(Isolation { mode, missing });
        }
        IsolationMode::Landlock => {
            let version = landlock::version();
            if version == 0 {
                return Err("the kernel has no Landlock".into());
            }
            missing.extend(landlock::missing(version));
        }
        IsolationMode::Namespaces | IsolationMode::Bwrap => {}
    }
    if root {
        missing.push("the referee runs as root, so programs can read every file".into());
    }
    let run = RunFolder::new().map_err(|error| error.to_string())?;
    let folder = run
        .player("probe", None)
        .map_err(|error| error.to_string())?;
    let limits = Limits {
        wall: Some(Seconds::from_secs(5)),
        ..Limits::default()
    };
    let exit = Process::run(
        &Launch {
            command: &["true".into()],
            folder: &folder,
            hidden: run.hidden(),
            limits: &limits,
            mode,
        },
        b"",
        &AtomicBool::new(false),
    )
    .map_err(|error| error.to_string())?;
    match (exit.failure, exit.status) {
        (Some(failure), _) => Err(failure),
        (None, Some(0)) => Ok(Isolation { mode, missing }),
        (None, _) => Err(format!("a trial failed: {}", exit.stderr.text().trim())),
    }
}
