//! How a collection of hostile things is run: behind every kind of walls, several at once, and as
//! an ordinary user too. Crate `handin` runs its own by the same file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use referee::IsolationMode;

/// Which walls this machine has.
pub(crate) fn modes() -> Vec<IsolationMode> {
    let all = [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
    ];
    let found = all.into_iter().filter(|mode| match referee::survey(*mode) {
        Ok(_) => true,
        Err(error) => {
            println!("skipped: {error}");
            false
        }
    });
    found.collect()
}

/// Whether a run is wanted: all are, or those that `LUDEX_HOSTILE` names a part of.
pub(crate) fn is_wanted(name: &str) -> bool {
    std::env::var("LUDEX_HOSTILE").map_or(true, |only| name.contains(&only))
}

/// Runs all of them, so many at once, and returns what there is to complain about.
pub(crate) fn complaints<T: Sync>(
    threads: usize,
    runs: &[T],
    complaint: impl Fn(usize, &T) -> Option<String> + Sync,
) -> Vec<String> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(number) else {
                        return;
                    };
                    if let Some(text) = complaint(number, run) {
                        println!("{text}");
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

/// Runs one of these tests once more as an ordinary user, if we are root.
pub(crate) fn run_as_ordinary_user(test: &str) {
    // SAFETY: only reads who we are.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    const NOBODY: u32 = 65534;
    // Where this program lies an ordinary user may not be able to go.
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = folder.path().join("it");
    // Copied by another process: a child of ours that starts while we write would hold the copy
    // open for a moment, and it could not be run.
    let copied = Command::new("cp")
        .arg(std::env::current_exe().unwrap())
        .arg(&copy)
        .status();
    assert!(copied.unwrap().success());
    let status = Command::new(copy)
        .args(["--exact", test, "--nocapture"])
        .current_dir("/")
        .gid(NOBODY)
        .uid(NOBODY)
        .status()
        .unwrap();
    assert!(status.success());
}
