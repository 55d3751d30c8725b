//! Which walls this machine can build, and what each of them leaves open.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use super::filter::Filter;
use super::root::Root;
use super::sandbox::Walls;
use super::user::User;
use super::view::View;
use super::{Launch, Process, child, landlock};
use crate::folder::{Given, RunFolder};
use crate::{Isolation, IsolationMode, Limits, RefereeError, Seconds};

/// Prepares walls around a program with this view.
pub(super) fn prepare(
    launch: &Launch,
    view: &View,
    folder: &Path,
    filter: &Filter,
) -> io::Result<Walls> {
    Ok(match launch.mode {
        IsolationMode::Namespaces => {
            Walls::Namespaces(Box::new(Root::new(view, launch.limits, launch.user)))
        }
        IsolationMode::Landlock => {
            Walls::Landlock(landlock::ruleset(landlock::version(), view, folder)?)
        }
        IsolationMode::Bwrap => {
            let [first, second] = filter.bytes();
            Walls::Bwrap([file_with(&first)?, file_with(&second)?, file_with(b"")?])
        }
        // `Auto` has been resolved before.
        IsolationMode::Auto | IsolationMode::None => Walls::None(landlock::apart()),
    })
}

/// A file in memory, to be read from its beginning.
fn file_with(bytes: &[u8]) -> io::Result<OwnedFd> {
    // SAFETY: the name is a constant; the new descriptor is nobody else's.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"filter".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(fd)
    };
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// What `bwrap` needs to build the same view as we do.
pub(super) fn bwrap_arguments(view: &View, folder: &Path, limits: &Limits) -> Vec<CString> {
    let size = limits.disk.map_or(64 << 20, |limit| limit.0).to_string();
    let mut words: Vec<CString> = Vec::new();
    let mut add = |list: &[&OsStr]| {
        let word = |text: &&OsStr| CString::new(text.as_bytes()).unwrap_or_default();
        words.extend(list.iter().map(word));
    };
    let text = OsStr::new;
    for option in ["--unshare-all", "--die-with-parent", "--new-session"] {
        add(&[text(option)]);
    }
    for option in ["--uid", "--gid"] {
        add(&[text(option), text("1000")]);
    }
    for path in &view.paths {
        // What it cannot see itself the program does not see.
        add(&[text("--ro-bind-try"), path.as_os_str(), path.as_os_str()]);
    }
    for (link, target) in &view.links {
        add(&[text("--symlink"), target.as_os_str(), link.as_os_str()]);
    }
    add(&[text("--dev"), text("/dev")]);
    add(&[text("--remount-ro"), text("/dev")]);
    add(&[text("--proc"), text("/proc")]);
    add(&[text("--remount-ro"), text("/proc")]);
    for path in ["/tmp", "/dev/shm"] {
        let below_temp = path == "/tmp" && view.paths.iter().any(|p| p.starts_with(path));
        if !below_temp && !folder.starts_with(path) {
            add(&[text("--size"), text(&size), text("--tmpfs"), text(path)]);
        }
    }
    add(&[text("--bind"), folder.as_os_str(), folder.as_os_str()]);
    add(&[text("--remount-ro"), text("/")]);
    add(&[text("--chdir"), folder.as_os_str()]);
    let [first, second, notes] = child::FILES.map(|file| file.to_string());
    for (option, file) in [
        ("--add-seccomp-fd", first),
        ("--add-seccomp-fd", second),
        ("--json-status-fd", notes),
    ] {
        add(&[text(option), text(&file)]);
    }
    add(&[text("--")]);
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
    let user = User::of_program();
    let place = match mode {
        IsolationMode::Namespaces => None,
        _ => Some(RunFolder::new(user).map_err(|error| error.to_string())?),
    };
    let limits = Limits {
        wall: Some(Seconds::from_secs(60)),
        ..Limits::default()
    };
    let exit = Process::run(
        &Launch {
            command: &["true".into()],
            given: &Rc::new(Given::default()),
            file: None,
            place: place.as_ref(),
            read: &[],
            tools: &[],
            limits: &limits,
            mode,
            user,
        },
        b"",
        &AtomicBool::new(false),
    )
    .map_err(|error| error.to_string())?;
    match (exit.failure, exit.status) {
        (Some(failure), _) => Err(failure.to_string()),
        (None, Some(0)) => Ok(Isolation {
            mode,
            missing,
            unmeasured: exit.unmeasured,
        }),
        (None, _) => Err(format!("a trial failed: {}", exit.stderr.text().trim())),
    }
}
