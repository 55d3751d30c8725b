//! A look at a running tree of processes through `/proc`.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// What a tree of processes uses at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sample {
    /// Processes, and threads of them.
    pub(super) tasks: u32,
    /// Memory of all of them in bytes, page tables and what is swapped out included; shared
    /// pages count for each.
    pub(super) memory: u64,
    /// The largest memory that one of them ever held.
    pub(super) peak: u64,
    /// Processor time of the living, and of the dead as far as it was seen.
    pub(super) cpu: Duration,
    /// The longest that one of them was ready to run but had to wait for a processor.
    pub(super) delay: Duration,
}

/// The processes of a program, as far as they were seen.
#[derive(Debug, Default)]
pub(super) struct Tree {
    alive: HashMap<libc::pid_t, Duration>,
    /// Own processor time of processes that have vanished, when they were seen last.
    vanished: Duration,
}

impl Tree {
    /// What the tree below `root` uses now. If there are more than `most` processes, only
    /// their number: to look at each would take longer than to start more.
    pub(super) fn sample(&mut self, root: libc::pid_t, most: Option<u32>) -> Sample {
        let mut sum = Sample::default();
        let (mut alive, mut own) = (HashMap::new(), Duration::ZERO);
        let pids = descendants(root);
        if most.is_some_and(|most| pids.len() > most as usize) {
            sum.tasks = pids.len() as u32;
            return sum;
        }
        for pid in pids {
            if let Some((one, used)) = look_at(pid) {
                sum.tasks += one.tasks;
                sum.memory += one.memory;
                sum.peak = sum.peak.max(one.peak);
                sum.cpu += one.cpu;
                sum.delay = sum.delay.max(one.delay);
                own += used;
                alive.insert(pid, used);
            }
        }
        let gone = self
            .alive
            .iter()
            .filter(|(pid, _)| !alive.contains_key(pid));
        self.vanished += gone.map(|(_, used)| *used).sum::<Duration>();
        self.alive = alive;
        sum.cpu = sum.cpu.max(own + self.vanished);
        sum.peak = sum.peak.max(sum.memory);
        sum
    }

    /// The processes that were alive at the last look.
    pub(super) fn pids(&self) -> impl Iterator<Item = libc::pid_t> {
        self.alive.keys().copied()
    }

    /// Memory with shared pages divided among their holders: slow, so only asked for when
    /// the quick sum is too much.
    pub(super) fn fair_memory(&self) -> u64 {
        self.memories()
            .into_iter()
            .map(|pid| {
                let status = read(pid, "status").unwrap_or_default();
                let part = |name| kilobytes(&status, name).unwrap_or(0);
                // What cannot be looked at is not shared.
                let shared = read(pid, "smaps_rollup");
                let shared = shared.and_then(|text| kilobytes(&text, "Pss:"));
                shared.unwrap_or_else(|| part("VmRSS:")) + part("VmPTE:") + part("VmSwap:")
            })
            .sum()
    }

    /// The processes that were alive at the last look, one for each memory: a process and the
    /// one that it starts by `vfork` have the same.
    fn memories(&self) -> Vec<libc::pid_t> {
        let mut found: Vec<libc::pid_t> = Vec::new();
        for pid in self.pids() {
            if !found.iter().any(|other| have_same_memory(*other, pid)) {
                found.push(pid);
            }
        }
        found
    }

    /// Bytes of files that have no name any more but are still open.
    pub(super) fn removed_but_open(&self) -> u64 {
        let mut files = HashMap::new();
        for pid in self.pids() {
            let open = fs::read_dir(format!("/proc/{pid}/fd"));
            for file in open.into_iter().flatten().flatten() {
                if let Ok(data) = fs::metadata(file.path())
                    && data.is_file()
                    && data.nlink() == 0
                {
                    files.insert((data.dev(), data.ino()), data.blocks() * 512);
                }
            }
        }
        files.values().sum()
    }
}

/// More processes than this are not looked at: the limit is passed anyway.
const ENOUGH: usize = 4096;

/// All processes below `root`, without `root` itself.
pub(super) fn descendants(root: libc::pid_t) -> Vec<libc::pid_t> {
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(pid) = next.pop() {
        // Only the supervisor and the program are sure to have one thread; a child
        // hangs on the thread that started it.
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
            continue;
        };
        for task in tasks.flatten() {
            let Ok(children) = fs::read_to_string(task.path().join("children")) else {
                continue;
            };
            for child in children.split_whitespace().flat_map(str::parse) {
                found.push(child);
                next.push(child);
            }
        }
        if found.len() > ENOUGH {
            break;
        }
    }
    found
}

/// What the kernel writes about a process. A program may have any bytes for a name, which stands
/// in there.
fn read(pid: libc::pid_t, name: &str) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/{name}")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn have_same_memory(one: libc::pid_t, other: libc::pid_t) -> bool {
    const KCMP_VM: libc::c_int = 1;
    // SAFETY: compares two processes by their numbers.
    unsafe { libc::syscall(libc::SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0 }
}

/// Whether a process is there and not just waiting to be buried.
pub(super) fn is_alive(pid: libc::pid_t) -> bool {
    let stat = read(pid, "stat").unwrap_or_default();
    let state = stat
        .rfind(')')
        .and_then(|at| stat[at + 1..].trim_start().chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// What one process uses, and the processor time of it alone.
fn look_at(pid: libc::pid_t) -> Option<(Sample, Duration)> {
    let stat = read(pid, "stat")?;
    // The name in brackets may hold anything, so count from the last bracket.
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    // utime, stime, cutime, cstime are fields 14 to 17 of the manual page.
    let time = |fields: Range<usize>| {
        let ticks: u64 = fields.filter_map(number).sum();
        Duration::from_millis(ticks * 1000 / ticks_per_second())
    };
    let status = read(pid, "status").unwrap_or_default();
    let held = ["VmRSS:", "VmPTE:", "VmSwap:"];
    let delay = read(pid, "schedstat").unwrap_or_default();
    let delay = delay.split_whitespace().nth(1);
    let sample = Sample {
        tasks: number(17).unwrap_or(1) as u32,
        memory: held
            .iter()
            .filter_map(|name| kilobytes(&status, name))
            .sum(),
        peak: kilobytes(&status, "VmHWM:").unwrap_or(0),
        cpu: time(11..15),
        delay: Duration::from_nanos(delay.and_then(|text| text.parse().ok()).unwrap_or(0)),
    };
    Some((sample, time(11..13)))
}

/// The number after `name` in a listing of kilobytes, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(number * 1024)
}

fn ticks_per_second() -> u64 {
    // SAFETY: asks for a constant.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u64::try_from(ticks).ok().filter(|t| *t > 0).unwrap_or(100)
}
