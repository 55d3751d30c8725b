//! A look at a running tree of processes through `/proc`.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::str::SplitWhitespace;
use std::sync::OnceLock;
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
                let [shared, others @ ..] = &HELD;
                // What cannot be looked at is not shared.
                let fair = read(pid, "smaps_rollup");
                let fair = fair.and_then(|text| kilobytes(&text, "Pss:"));
                fair.unwrap_or_else(|| sum_of(&status, &[shared])) + sum_of(&status, others)
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

    /// Whether the kernel may hold more than `limit` for the program in buffers of sockets, all of
    /// them full. In a network of its own those are counted that nobody has open any more, too.
    pub(super) fn buffers_pass(&self, limit: u64) -> bool {
        let passes = |sockets: u64| sockets * one_buffer() > limit;
        match self.pids().find_map(sockets_of_its_own) {
            Some(sockets) => passes(sockets),
            // Which of the open files are sockets takes longer to find out.
            None => {
                passes(self.pids().map(open_files).sum())
                    && passes(self.pids().map(open_sockets).sum())
            }
        }
    }

    /// Whether the program has more locks on parts of files than anybody needs. The kernel keeps each
    /// of them.
    pub(super) fn locks_pass(&self) -> bool {
        let mut left = MOST_LOCKS;
        for pid in self.pids() {
            let open = fs::read_dir(format!("/proc/{pid}/fdinfo"));
            for file in open.into_iter().flatten().flatten() {
                let Ok(listing) = fs::read(file.path()) else {
                    continue;
                };
                let lines = listing.split(|byte| *byte == b'\n');
                let locks = lines.filter(|line| line.starts_with(b"lock:")).count();
                match left.checked_sub(locks) {
                    Some(less) => left = less,
                    None => return true,
                }
            }
        }
        false
    }

    /// Bytes of files that have no name any more but are still open, or part of somebody's memory
    /// and once lay in `place`. No file is larger than `largest`.
    pub(super) fn removed_but_held(&self, place: &Path, largest: u64) -> u64 {
        let mut files = HashMap::new();
        let mut mapped: HashMap<u64, u64> = HashMap::new();
        for pid in self.pids() {
            let open = fs::read_dir(format!("/proc/{pid}/fd"));
            for file in open.into_iter().flatten().flatten() {
                files.extend(removed(&file.path()));
            }
            let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
            for part in maps.split(|byte| *byte == b'\n') {
                let Some(part) = Mapping::read(part).filter(|part| part.is_of_removed(place))
                else {
                    continue;
                };
                // Whose size only root may ask for.
                match removed(Path::new(&format!("/proc/{pid}/map_files/{}", part.range))) {
                    Some(file) => files.extend([file]),
                    None => {
                        let seen = mapped.entry(part.inode).or_default();
                        *seen = part.end.max(*seen);
                    }
                }
            }
        }
        mapped.retain(|inode, _| !files.keys().any(|(_, known)| known == inode));
        // A few may be as large as what is seen of them, as compilers leave them.
        let hidden = mapped.len().saturating_sub(FEW) as u64 * largest;
        files.values().chain(mapped.values()).sum::<u64>() + hidden
    }
}

/// No program needs so many locks on parts of files.
const MOST_LOCKS: usize = 10_000;

/// More removed files whose size cannot be asked for count as large as files can be.
const FEW: usize = 16;

/// A removed plain file behind a link of `/proc`: which one, and its bytes.
fn removed(link: &Path) -> Option<((u64, u64), u64)> {
    let data = fs::metadata(link).ok()?;
    let identity = (data.dev(), data.ino());
    (data.is_file() && data.nlink() == 0).then(|| (identity, data.blocks() * 512))
}

/// A piece of a file in a process's memory, as the kernel lists it.
struct Mapping<'a> {
    range: &'a str,
    /// Where the piece ends in the file.
    end: u64,
    inode: u64,
    path: &'a [u8],
}

impl<'a> Mapping<'a> {
    /// A line such as `7f01-7f02 rw-s 00003000 fd:00 1234   /path (deleted)`.
    fn read(line: &'a [u8]) -> Option<Mapping<'a>> {
        let path = line.iter().position(|byte| *byte == b'/')?;
        let mut words = str::from_utf8(&line[..path]).ok()?.split_whitespace();
        let (range, offset) = (words.next()?, words.nth(1)?);
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let (from, to) = range.split_once('-')?;
        Some(Mapping {
            range,
            end: number(offset)?.saturating_add(number(to)?.checked_sub(number(from)?)?),
            inode: words.nth(1)?.parse().ok()?,
            path: &line[path..],
        })
    }

    fn is_of_removed(&self, place: &Path) -> bool {
        let below = self.path.strip_prefix(place.as_os_str().as_bytes());
        below.is_some_and(|below| below.starts_with(b"/") && below.ends_with(b" (deleted)"))
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

/// Processes and threads of a user.
pub(super) fn tasks_of(uid: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else {
        return 0;
    };
    let own = processes.flatten().filter(|process| {
        let number = process.file_name().to_string_lossy().parse::<u32>();
        number.is_ok() && process.metadata().is_ok_and(|data| data.uid() == uid)
    });
    // A folder has a link from each folder in it, and two more.
    let tasks = own.filter_map(|process| fs::metadata(process.path().join("task")).ok());
    tasks.map(|data| data.nlink().saturating_sub(2)).sum()
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

/// How many files a process has open.
fn open_files(pid: libc::pid_t) -> u64 {
    let path = format!("/proc/{pid}/fd");
    // Since Linux 6.2 this is the size of the folder.
    match fs::metadata(&path).map_or(0, |data| data.size()) {
        0 => fs::read_dir(path).map_or(0, |files| files.count() as u64),
        size => size,
    }
}

/// How many of them are sockets.
fn open_sockets(pid: libc::pid_t) -> u64 {
    let open = fs::read_dir(format!("/proc/{pid}/fd"));
    let files = open.into_iter().flatten().flatten();
    let links = files.filter_map(|file| fs::read_link(file.path()).ok());
    links
        .filter(|link| link.as_os_str().as_encoded_bytes().starts_with(b"socket:"))
        .count() as u64
}

/// How many sockets there are in the network of a process, if that is not ours.
fn sockets_of_its_own(pid: libc::pid_t) -> Option<u64> {
    let network = |process: &str| fs::read_link(format!("/proc/{process}/ns/net")).ok();
    if network(&pid.to_string())? == network("self")? {
        return None;
    }
    let listing = read(pid, "net/sockstat")?;
    let mut lines = listing.lines();
    let used = lines.find_map(|line| line.strip_prefix("sockets: used "))?;
    used.trim().parse().ok()
}

/// What a socket holds at most: programs cannot ask for more.
fn one_buffer() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default");
        let size = text.ok().and_then(|text| text.trim().parse().ok());
        size.unwrap_or(256 << 10)
    })
}

/// Whether a process is there and not just waiting to be buried.
pub(super) fn is_alive(pid: libc::pid_t) -> bool {
    state_and_group(pid).is_some_and(|(state, _)| !is_dead(state))
}

/// Whether somebody in a process group is alive.
pub(super) fn is_group_alive(group: libc::pid_t) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let mut states = numbers.filter_map(state_and_group);
    states.any(|(state, of)| of == group && !is_dead(state))
}

/// Whether a process is about to end: what its end means for others is still to come.
pub(super) fn is_ending(pid: libc::pid_t) -> bool {
    /// The kernel's mark of such a process.
    const EXITING: u32 = 4;
    let state_and_flags = || {
        let stat = read(pid, "stat")?;
        let mut words = after_name(&stat)?;
        let state = words.next()?.chars().next()?;
        Some((state, words.nth(5)?.parse::<u32>().ok()?))
    };
    state_and_flags().is_some_and(|(state, flags)| !is_dead(state) && flags & EXITING != 0)
}

/// The state of a process, and the group it belongs to.
fn state_and_group(pid: libc::pid_t) -> Option<(char, libc::pid_t)> {
    let stat = read(pid, "stat")?;
    let mut words = after_name(&stat)?;
    let state = words.next()?.chars().next()?;
    Some((state, words.nth(1)?.parse().ok()?))
}

/// What follows the name of a process, which stands in parentheses and may be anything.
fn after_name(stat: &str) -> Option<SplitWhitespace<'_>> {
    Some(stat[stat.rfind(')')? + 1..].split_whitespace())
}

fn is_dead(state: char) -> bool {
    matches!(state, 'Z' | 'X')
}

/// What one process uses, and the processor time of it alone.
fn look_at(pid: libc::pid_t) -> Option<(Sample, Duration)> {
    let stat = read(pid, "stat")?;
    let fields: Vec<&str> = after_name(&stat)?.collect();
    let number = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    // utime, stime, cutime, cstime are fields 14 to 17 of the manual page.
    let time = |fields: Range<usize>| {
        let ticks: u64 = fields.filter_map(number).sum();
        Duration::from_millis(ticks * 1000 / ticks_per_second())
    };
    let status = read(pid, "status").unwrap_or_default();
    let delay = read(pid, "schedstat").unwrap_or_default();
    let delay = delay.split_whitespace().nth(1);
    let sample = Sample {
        tasks: number(17).unwrap_or(1) as u32,
        memory: sum_of(&status, &HELD),
        peak: kilobytes(&status, "VmHWM:").unwrap_or(0),
        cpu: time(11..15),
        delay: Duration::from_nanos(delay.and_then(|text| text.parse().ok()).unwrap_or(0)),
    };
    Some((sample, time(11..13)))
}

/// What a process holds, as the kernel lists it: pages that others may hold, too, and then page
/// tables, what is swapped out, and pages of the machine's pool of huge ones, which count apart.
const HELD: [&str; 4] = ["VmRSS:", "VmPTE:", "VmSwap:", "HugetlbPages:"];

fn sum_of(status: &str, names: &[&str]) -> u64 {
    let parts = names.iter().filter_map(|name| kilobytes(status, name));
    parts.sum()
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

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::process::User;

    #[test]
    fn groups_live_as_long_as_one_of_them() {
        let own = std::process::id() as libc::pid_t;
        assert!(is_alive(own) && tasks_of(User::own().uid) >= 1);
        let mut leader = Command::new("cat")
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let group = leader.id() as libc::pid_t;
        assert!(is_alive(group) && is_group_alive(group));
        let other = Command::new("cat")
            .stdin(Stdio::piped())
            .process_group(group)
            .spawn();
        let mut other = other.unwrap();
        leader.kill().unwrap();
        // A zombie until it is waited for, which is dead as well.
        while is_alive(group) {
            std::thread::yield_now();
        }
        assert!(is_group_alive(group));
        other.kill().unwrap();
        other.wait().unwrap();
        leader.wait().unwrap();
        assert!(!is_group_alive(group));
    }
}
