//! A control group (version 2) around every program, where the system lets the referee make
//! them: the kernel then caps memory and processes of the whole tree, whatever they are made
//! of, and counts its processor time.
//!
//! Groups are to be had where the referee's own group is delegated to it, as by
//! `systemd-run --user --scope -p Delegate=yes ludex …`. A group that is divided must not hold
//! processes itself, so the referee first moves into a group below its own. Everywhere else
//! the counting of the other modules has to do.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::{IsolationMode, Limits};

/// What the groups of programs are to cap.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// Memory of the supervisor and of the kernel that is not the program's.
const ROOM: u64 = 16 << 20;
/// Processes of the supervisor, and of `bwrap`.
const SUPERVISORS: u64 = 3;

/// The group that groups of programs are made in.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    /// What is capped there, of [`CONTROLLERS`].
    pub(crate) caps: Vec<&'static str>,
}

/// The group of one program; removed, with everybody in it, when it is dropped.
#[derive(Debug)]
pub(super) struct Group {
    path: PathBuf,
    handle: OwnedFd,
    /// Processor time when the program started.
    before: Duration,
}

/// Where groups can be made: tried out once, since the referee moves for it.
pub(crate) fn home() -> Option<&'static Home> {
    static HOME: OnceLock<Option<Home>> = OnceLock::new();
    HOME.get_or_init(|| {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        Home::settle(&own_group(&mounts, &groups)?)
    })
    .as_ref()
}

/// The folder of the group that this process is in.
fn own_group(mounts: &str, groups: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mount = mounts.lines().find_map(|line| {
        let (place, file_system) = line.split_once(" - ")?;
        // Number, parent, device, root, mount point.
        let mut words = place.split(' ').skip(3);
        let (root, point) = (words.next()?, words.next()?);
        (file_system.starts_with("cgroup2 ") && root == "/").then_some(point)
    })?;
    Some(Path::new(mount).join(own))
}

impl Home {
    /// Moves this process out of the way and divides the group that it was in.
    fn settle(own: &Path) -> Option<Home> {
        // The root of all groups has no type, and is nobody's to divide.
        fs::metadata(own.join("cgroup.type")).ok()?;
        let offered = fs::read_to_string(own.join("cgroup.controllers")).ok()?;
        let is_offered = |name: &&str| offered.split_whitespace().any(|word| word == *name);
        let caps: Vec<_> = CONTROLLERS.into_iter().filter(is_offered).collect();
        if caps.is_empty() {
            return None;
        }
        let leaf = own.join(format!("ludex-{}", std::process::id()));
        fs::create_dir(&leaf).ok()?;
        let divide = || {
            fs::write(leaf.join("cgroup.procs"), "0")?;
            let plus: Vec<String> = caps.iter().map(|name| format!("+{name}")).collect();
            fs::write(own.join("cgroup.subtree_control"), plus.join(" "))
        };
        if divide().is_err() {
            // Somebody else is in this group: it is not for us alone.
            drop(fs::write(own.join("cgroup.procs"), "0"));
            drop(fs::remove_dir(&leaf));
            return None;
        }
        let path = own.to_path_buf();
        Some(Home { path, caps })
    }
}

impl Group {
    /// A group with these limits; none where there cannot be one.
    pub(super) fn new(limits: &Limits, mode: IsolationMode) -> Option<Group> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ludex-{}-{number}", std::process::id());
        let path = home()?.path.join(name);
        fs::create_dir(&path).ok()?;
        match open(&path) {
            Ok(handle) => {
                let group = Group {
                    path,
                    handle,
                    before: Duration::ZERO,
                };
                group.cap(limits, mode);
                Some(group)
            }
            Err(_) => {
                drop(fs::remove_dir(&path));
                None
            }
        }
    }

    fn cap(&self, limits: &Limits, mode: IsolationMode) {
        if let Some(memory) = limits.memory {
            // Behind walls of these kinds what is written lies in memory, in two places at most.
            let in_memory = mode == IsolationMode::Namespaces || mode == IsolationMode::Bwrap;
            let disk = limits.disk.filter(|_| in_memory).map_or(0, |disk| disk.0);
            let most = memory.0.saturating_add(disk.saturating_mul(2));
            self.set("memory.max", most.saturating_add(ROOM));
            self.set("memory.swap.max", 0);
            self.set("memory.oom.group", 1);
        }
        if let Some(most) = limits.processes {
            self.set("pids.max", u64::from(most) + SUPERVISORS);
        }
    }

    /// Writes a number to a file of the group; what there is no controller for has none.
    pub(super) fn set(&self, name: &str, value: u64) {
        drop(fs::write(self.path.join(name), value.to_string()));
    }

    /// What a new process is put into the group by.
    pub(super) fn handle(&self) -> RawFd {
        self.handle.as_raw_fd()
    }

    /// From now on the program's time is counted.
    pub(super) fn start(&mut self) {
        self.before = self.total();
    }

    /// Processor time since the start.
    pub(super) fn used(&self) -> Duration {
        self.total().saturating_sub(self.before)
    }

    fn total(&self) -> Duration {
        Duration::from_micros(self.number("cpu.stat", "usage_usec"))
    }

    /// Whether the kernel had to stop the program because of its memory.
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.number("memory.events", "oom_kill") > 0
    }

    /// A number of a file with a name and a number in each line; 0 if it is not there.
    fn number(&self, file: &str, name: &str) -> u64 {
        let text = fs::read_to_string(self.path.join(file)).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let line = lines.find(|(found, _)| *found == name);
        line.and_then(|(_, number)| number.parse().ok())
            .unwrap_or(0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        drop(fs::write(self.path.join("cgroup.kill"), "1"));
        // Who was killed is a while in dying.
        for _ in 0..1000 {
            match fs::remove_dir(&self.path) {
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}

fn open(path: &Path) -> io::Result<OwnedFd> {
    fs::File::open(path).map(OwnedFd::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_this_process_is_found() {
        let unified = "22 1 0:20 / /proc rw - proc proc rw\n\
             30 29 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let legacy = "30 29 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        for (mounts, groups, expected) in [
            (
                unified,
                "0::/user.slice/run-1.scope\n",
                Some("/sys/fs/cgroup/user.slice/run-1.scope"),
            ),
            (unified, "0::/\n", Some("/sys/fs/cgroup/")),
            (unified, "4:memory:/x\n", None),
            (legacy, "0::/x\n", None),
        ] {
            let found = own_group(mounts, groups);
            assert_eq!(found, expected.map(PathBuf::from), "{groups}");
        }
    }

    #[test]
    fn a_group_that_cannot_be_divided_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Home::settle(folder.path()).is_none(), "the root of all");
        fs::write(folder.path().join("cgroup.type"), "domain\n").unwrap();
        fs::write(folder.path().join("cgroup.controllers"), "cpu io\n").unwrap();
        assert!(Home::settle(folder.path()).is_none(), "nothing to cap");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// Real groups, where this process may make them.
    #[test]
    fn a_program_in_a_group_is_counted_and_removed() {
        let limits = Limits {
            memory: Some(crate::Size::mb(64)),
            processes: Some(8),
            ..Limits::default()
        };
        let Some(mut group) = Group::new(&limits, IsolationMode::None) else {
            return println!("skipped: no group is delegated to this process");
        };
        group.start();
        let path = group.path.clone();
        if home().unwrap().caps.contains(&"pids") {
            let most = fs::read_to_string(path.join("pids.max")).unwrap();
            assert_eq!(most, "11\n");
        }
        let mut busy = std::process::Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        fs::write(path.join("cgroup.procs"), busy.id().to_string()).unwrap();
        while group.used() < Duration::from_millis(20) {
            std::thread::yield_now();
        }
        assert!(!group.is_out_of_memory());
        drop(group);
        assert!(!busy.wait().unwrap().success());
        assert!(!path.exists());
    }
}
