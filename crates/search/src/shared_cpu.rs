//! Processor time of all threads of a search.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{ThreadId, current};
use std::time::Duration;

use cpu_time::ThreadTime;

/// What the threads that have [worked](SharedCpu::used) with it have used of the processor, all
/// together, those too that are over.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedCpu(Arc<Mutex<Used>>);

#[derive(Debug, Default)]
struct Used {
    total: Duration,
    /// The processor time of each thread up to which it is part of the total, the newest last. They
    /// are few, and those that look are new: a list is looked through from its end, and programs
    /// that are handed in stay small.
    threads: Vec<(ThreadId, Duration)>,
}

impl SharedCpu {
    /// Counts from now on the calling thread.
    pub(crate) fn begin() -> SharedCpu {
        let begun = SharedCpu::default();
        begun.used();
        begun
    }

    /// Adds what the calling thread has used since its last call (nothing at its first one), and
    /// gives the sum. However many clocks of one thread call, its time is counted once.
    pub(crate) fn used(&self) -> Duration {
        let now = ThreadTime::now().as_duration();
        let used = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = current().id();
        match used.threads.iter_mut().rfind(|(known, _)| *known == id) {
            Some((_, last)) => {
                used.total += now.saturating_sub(*last);
                *last = now;
            }
            None => used.threads.push((id, now)),
        }
        used.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until the calling thread has used so much.
    fn work(time: Duration) {
        let start = ThreadTime::now();
        while start.elapsed() < time {}
    }

    #[test]
    fn threads_are_added_up_and_none_is_counted_twice() {
        const EACH: Duration = Duration::from_millis(2);
        let shared = SharedCpu::begin();
        for threads in 1..=5 {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    shared.used();
                    work(EACH);
                    shared.used();
                });
            });
            assert!(shared.used() >= threads * EACH);
        }
        // The clocks of one thread see the same time go by.
        let start = ThreadTime::now();
        let before = shared.used();
        work(EACH);
        let clocks = [&shared, &shared.clone(), &shared].map(SharedCpu::used);
        assert!(clocks[0] >= before + EACH);
        assert!(clocks[2] <= before + start.elapsed(), "{clocks:?}");
    }
}
