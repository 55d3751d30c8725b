//! A look at a running tree of processes through `/proc`.

use std::fs;
use std::time::Duration;

/// What a tree of processes uses at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sample {
    /// Processes, and threads of them.
    pub(super) tasks: u32,
    /// Resident memory of all of them, in bytes; shared pages count for each.
    pub(super) memory: u64,
    /// The largest memory that one of them ever held.
    pub(super) peak: u64,
    /// Processor time of the living and of the dead that were waited for.
    pub(super) cpu: Duration,
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

/// Whether a process is there and not just waiting to be buried.
pub(super) fn is_alive(pid: libc::pid_t) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rfind(')')
        .and_then(|at| stat[at + 1..].trim_start().chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// What the tree below `root` uses now.
pub(super) fn sample(root: libc::pid_t) -> Sample {
    let mut sum = Sample::default();
    for pid in descendants(root) {
        if let Some(one) = look_at(pid) {
            sum.tasks += one.tasks;
            sum.memory += one.memory;
            sum.peak = sum.peak.max(one.peak);
            sum.cpu += one.cpu;
        }
    }
    sum.peak = sum.peak.max(sum.memory);
    sum
}

/// Memory of the tree below `root` with shared pages divided among their holders:
/// slow, so only asked for when the quick sum is too much.
pub(super) fn fair_memory(root: libc::pid_t) -> u64 {
    descendants(root)
        .into_iter()
        .filter_map(|pid| {
            let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            kilobytes(&text, "Pss:")
        })
        .sum()
}

fn look_at(pid: libc::pid_t) -> Option<Sample> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything, so count from the last bracket.
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    // utime, stime, cutime, cstime are fields 14 to 17 of the manual page.
    let ticks: u64 = (11..15).filter_map(number).sum();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    Some(Sample {
        tasks: number(17).unwrap_or(1) as u32,
        memory: kilobytes(&status, "VmRSS:").unwrap_or(0),
        peak: kilobytes(&status, "VmHWM:").unwrap_or(0),
        cpu: Duration::from_millis(ticks * 1000 / ticks_per_second()),
    })
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
