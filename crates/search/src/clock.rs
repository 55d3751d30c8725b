//! The one place where a search reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Limits;
use crate::shared_cpu::SharedCpu;
use crate::time::Stopwatch;

/// Counts positions and says when [`Limits`] are reached. Depth is the search's own
/// business. Processor time is that of the threads that look at clocks of the same beginning: see
/// [`Limits::begin`].
///
/// ```
/// use search::{Clock, Limits};
///
/// let mut clock = Clock::start(&Limits::default().with_nodes(2));
/// assert!(!clock.tick() && !clock.tick());
/// assert!(clock.tick(), "the third position is one too many");
/// assert!(clock.stopped());
/// ```
#[derive(Debug)]
pub struct Clock {
    nodes: u64,
    /// The count at which to look at time and flag again.
    look_at: u64,
    interval: u64,
    last_look: Duration,
    stopped: bool,
    watch: Stopwatch,
    cpu: Option<SharedCpu>,
    limits: Limits,
}

/// How long to search between two looks at the time, about.
const LOOK_EVERY: Duration = Duration::from_micros(200);

/// Positions between two looks at most: those that follow may take longer.
const MOST_BETWEEN: u64 = 1 << 10;

impl Clock {
    /// Starts now.
    #[must_use]
    pub fn start(limits: &Limits) -> Clock {
        let mut clock = Clock {
            nodes: 0,
            look_at: 0,
            interval: 1,
            last_look: Duration::ZERO,
            stopped: false,
            watch: limits.time.start(),
            cpu: limits.cpu.map(|_| limits.time.start_cpu()),
            limits: limits.clone(),
        };
        clock.look_at = clock.next_look();
        clock
    }

    /// Counts one position; true if the search must stop (and from then on always).
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.nodes >= self.look_at && self.look()
    }

    /// Whether a limit has been reached at some [`tick`](Clock::tick).
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at the limits now, whatever the count. What is counted next may take longer than
    /// what was counted before, so the looks that follow are close together again.
    pub fn check(&mut self) -> bool {
        self.stopped = self.stopped || self.is_over(self.elapsed());
        self.interval = 1;
        self.look_at = self.next_look();
        self.stopped
    }

    /// Positions counted; the one that was refused is not.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Wall time since the start, or since its [`Time`](crate::Time) began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Processor time of all threads since the start; a held time passes for all of them.
    fn elapsed_cpu(&self, wall: Duration) -> Option<Duration> {
        match self.watch.is_held() {
            true => Some(wall),
            false => self.cpu.as_ref().map(SharedCpu::used),
        }
    }

    /// The share of the time limits that is used up: 0 at the start, 1 at the end,
    /// `None` without a limit of time.
    #[must_use]
    pub fn used(&self) -> Option<f64> {
        let share = |used: Duration, limit: Duration| {
            used.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        };
        if self.limits.wall.is_none() && self.limits.cpu.is_none() {
            return None;
        }
        let elapsed = self.elapsed();
        let wall = self.limits.wall.map(|limit| share(elapsed, limit));
        let cpu = self.limits.cpu.zip(self.elapsed_cpu(elapsed));
        let cpu = cpu.map(|(limit, used)| share(used, limit));
        wall.into_iter().chain(cpu).reduce(f64::max)
    }

    /// The wall time until a limit of time is reached, if the search goes on to get as much of
    /// the processor as it got so far; `None` without a limit of time.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let elapsed = self.elapsed();
        let wall = self.limits.wall.map(|limit| limit.saturating_sub(elapsed));
        let cpu = self.limits.cpu.zip(self.elapsed_cpu(elapsed));
        let cpu = cpu.map(|(limit, used)| {
            let left = limit.saturating_sub(used);
            // Below 1 where several threads work.
            let slowdown = match used.is_zero() {
                true => 1.0,
                false => elapsed.as_secs_f64() / used.as_secs_f64(),
            };
            let stretched = left.as_secs_f64() * slowdown;
            Duration::try_from_secs_f64(stretched).unwrap_or(Duration::MAX)
        });
        wall.into_iter().chain(cpu).min()
    }

    /// What is left of the limits for a search that follows and begins its own time.
    #[must_use]
    pub fn rest(&self) -> Limits {
        let elapsed = self.elapsed();
        let cpu = self.limits.cpu.zip(self.elapsed_cpu(elapsed));
        Limits {
            nodes: self
                .limits
                .nodes
                .map(|most| most.saturating_sub(self.nodes)),
            wall: self.limits.wall.map(|limit| limit.saturating_sub(elapsed)),
            cpu: cpu.map(|(limit, used)| limit.saturating_sub(used)),
            time: self.watch.source(),
            ..self.limits.clone()
        }
    }

    /// The time that [`Limits::about`] names.
    #[must_use]
    pub fn about(&self) -> Option<Duration> {
        self.limits.about
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = self.elapsed();
        if self.stopped
            || self.is_over(now)
            || self.limits.nodes.is_some_and(|limit| self.nodes > limit)
        {
            self.nodes -= 1;
            self.stopped = true;
            return true;
        }
        // Positions of different games cost very different times, so the interval
        // follows what the last one took.
        let took = now.saturating_sub(self.last_look);
        if took < LOOK_EVERY {
            self.interval = (self.interval * 2).min(MOST_BETWEEN);
        } else if took > 4 * LOOK_EVERY {
            self.interval = (self.interval / 4).max(1);
        }
        self.last_look = now;
        self.look_at = self.next_look();
        false
    }

    fn is_over(&self, wall: Duration) -> bool {
        self.limits.wall.is_some_and(|limit| wall >= limit)
            || self
                .limits
                .cpu
                .zip(self.elapsed_cpu(wall))
                .is_some_and(|(limit, used)| used >= limit)
            || flag(self.limits.stop.as_ref())
    }

    fn next_look(&self) -> u64 {
        let at_limit = self
            .limits
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_add(1));
        let timed =
            self.limits.wall.is_some() || self.limits.cpu.is_some() || self.limits.stop.is_some();
        if timed {
            at_limit.min(self.nodes + self.interval)
        } else {
            at_limit
        }
    }
}

impl Drop for Clock {
    /// What the thread has used since the last look is not lost when it ends.
    fn drop(&mut self) {
        self.elapsed_cpu(Duration::ZERO);
    }
}

fn flag(stop: Option<&Arc<AtomicBool>>) -> bool {
    stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeldTime, Time};

    /// Ticks until the clock stops, at most `most` times.
    fn run(limits: &Limits, most: u64) -> Clock {
        let mut clock = Clock::start(limits);
        for _ in 0..most {
            if clock.tick() {
                break;
            }
        }
        clock
    }

    #[test]
    fn no_limit_never_stops() {
        let clock = run(&Limits::default(), 100_000);
        assert!(!clock.stopped());
        assert_eq!(clock.nodes(), 100_000);
        assert_eq!(clock.used(), None);
    }

    #[test]
    fn nodes_are_counted_exactly() {
        for limit in [0, 1, 17, 5000] {
            let timed = Limits::default().with_wall(Duration::from_secs(3600));
            for limits in [Limits::default(), timed] {
                let clock = run(&limits.with_nodes(limit), 100_000);
                assert!(clock.stopped());
                assert_eq!(clock.nodes(), limit);
            }
        }
    }

    #[test]
    fn time_stops() {
        let wall = Duration::from_millis(5);
        let clock = run(&Limits::default().with_wall(wall), u64::MAX);
        assert!(clock.elapsed() >= wall);
        assert!(clock.used().unwrap() >= 1.0);
        let clock = run(&Limits::default().with_cpu(wall), u64::MAX);
        assert!(clock.stopped() && clock.elapsed() >= wall);
    }

    #[test]
    fn no_time_stops_at_once() {
        for limits in [
            Limits::default().with_wall(Duration::ZERO),
            Limits::default().with_cpu(Duration::ZERO),
        ] {
            assert_eq!(run(&limits, 10).nodes(), 0);
        }
    }

    #[test]
    fn what_is_left_is_what_is_not_used() {
        assert_eq!(run(&Limits::default(), 1).left(), None);
        let time = HeldTime::new(Duration::ZERO);
        let held = Limits {
            time: Time::held(&time),
            ..Limits::default()
        };
        let (short, long) = (Duration::from_secs(4), Duration::from_secs(6));
        let clocks = [
            Clock::start(&held.clone().with_wall(short)),
            Clock::start(&held.clone().with_cpu(short)),
            Clock::start(&held.clone().with_wall(long).with_cpu(short)),
            Clock::start(&held.with_wall(short).with_cpu(long)),
        ];
        for left in [4, 3, 2, 1, 0, 0] {
            for clock in &clocks {
                assert_eq!(clock.left(), Some(Duration::from_secs(left)), "{clock:?}");
            }
            time.advance(Duration::from_secs(1));
        }
    }

    #[test]
    fn processor_time_is_one_for_all_threads() {
        let limits = Limits::default().with_cpu(Duration::from_millis(5));
        let begun = limits.begin();
        let use_up = |limits: &Limits| run(limits, u64::MAX).stopped();
        std::thread::scope(|scope| scope.spawn(|| use_up(&begun)).join().unwrap());
        // Neither this thread nor a new one gets any more.
        assert_eq!(run(&begun, 10).nodes(), 0);
        assert_eq!(run(&begun, 10).left(), Some(Duration::ZERO));
        let nodes = || run(&begun, 10).nodes();
        assert_eq!(
            std::thread::scope(|scope| scope.spawn(nodes).join().unwrap()),
            0
        );
        // Without a common beginning each search has its own time.
        assert!(!Clock::start(&limits).check());
    }

    #[test]
    fn the_rest_is_what_a_search_leaves_to_the_next() {
        let (long, short) = (Duration::from_secs(6), Duration::from_secs(4));
        for begin in [false, true] {
            let time = HeldTime::new(Duration::ZERO);
            let limits = Limits {
                time: Time::held(&time),
                ..Limits::default().with_wall(long).with_cpu(short)
            };
            let limits = match begin {
                true => limits.begin(),
                false => limits,
            };
            let mut clock = Clock::start(&limits.with_nodes(10));
            clock.tick();
            time.advance(Duration::from_secs(3));
            let rest = clock.rest();
            assert_eq!(rest.nodes, Some(9));
            assert_eq!(
                [rest.wall, rest.cpu],
                [3, 1].map(|s| Some(Duration::from_secs(s)))
            );
            assert_eq!(Clock::start(&rest).left(), Some(Duration::from_secs(1)));
        }
    }

    #[test]
    fn a_flag_stops() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::default().with_stop(flag.clone());
        assert!(!run(&limits, 1000).stopped());
        flag.store(true, Ordering::Relaxed);
        assert!(run(&limits, 1000).stopped());
    }
}
