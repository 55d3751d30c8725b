//! The cores of this machine, and staying on one of them.

use std::collections::BTreeSet;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// How many cores this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The cores that this process may use.
#[must_use]
pub fn allowed_cores() -> Vec<usize> {
    match sched_getaffinity(Pid::from_raw(0)) {
        Ok(set) => (0..CpuSet::count())
            .filter(|&core| set.is_set(core).unwrap_or(false))
            .collect(),
        Err(_) => Vec::new(),
    }
}

/// One of the cores that this process may use for every physical core: two that the system
/// counts may share what they compute with.
#[must_use]
pub fn physical_cores() -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut cores = allowed_cores();
    cores.retain(|core| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        // Where the system does not say, every core counts as one.
        let siblings = std::fs::read_to_string(path).unwrap_or_else(|_| core.to_string());
        seen.insert(siblings)
    });
    cores
}

/// Keeps this thread, and the programs that it starts, on one core. If the system will
/// not, games are played all the same.
pub fn keep_to(core: usize) {
    let mut set = CpuSet::new();
    if set.set(core).is_ok() {
        let _ = sched_setaffinity(Pid::from_raw(0), &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn physical_cores_are_some_of_the_allowed_ones() {
        let (physical, allowed) = (physical_cores(), allowed_cores());
        assert!(!physical.is_empty());
        assert!(physical.iter().all(|core| allowed.contains(core)));
    }
}
