//! Where the time comes from: the system, or somebody who holds the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::shared_cpu::SharedCpu;

/// A source of time. The default is the clock of the system.
///
/// A limit of time runs from the start of each [`Clock`](crate::Clock), unless the source has
/// [begun](Time::begin): then all clocks made from it, on whatever thread, show the same time, and
/// the processor time of all threads together.
#[derive(Clone, Debug, Default)]
pub struct Time(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Held(Arc<HeldTime>),
    Begun(Stopwatch, SharedCpu),
}

impl Time {
    /// The clock of the system.
    pub const SYSTEM: Time = Time(Source::System);

    /// The time that somebody holds.
    #[must_use]
    pub fn held(time: &Arc<HeldTime>) -> Time {
        Time(Source::Held(Arc::clone(time)))
    }

    /// The same source, which begins now: a deadline for every clock made from it.
    #[must_use]
    pub fn begin(&self) -> Time {
        Time(Source::Begun(self.start(), self.start_cpu()))
    }

    /// Whether it is the clock of the system: nobody has set the time at which it began, or holds it.
    #[must_use]
    pub fn is_system(&self) -> bool {
        matches!(self.0, Source::System)
    }

    /// A stopwatch that runs from now, or from when the source began.
    pub(crate) fn start(&self) -> Stopwatch {
        match &self.0 {
            Source::System => Stopwatch::System(Instant::now()),
            Source::Held(time) => Stopwatch::Held(Arc::clone(time), time.now()),
            Source::Begun(watch, _) => watch.clone(),
        }
    }

    /// Processor time that is counted from now, or from when the source began.
    pub(crate) fn start_cpu(&self) -> SharedCpu {
        match &self.0 {
            Source::System | Source::Held(_) => SharedCpu::begin(),
            Source::Begun(_, cpu) => {
                cpu.used();
                cpu.clone()
            }
        }
    }
}

/// A moment, and the source that says how long ago it is.
#[derive(Clone, Debug)]
pub(crate) enum Stopwatch {
    System(Instant),
    Held(Arc<HeldTime>, Duration),
}

impl Stopwatch {
    /// Reads the source.
    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Stopwatch::System(started) => started.elapsed(),
            Stopwatch::Held(time, started) => time.read().saturating_sub(*started),
        }
    }

    /// The source, as it was before it began.
    pub(crate) fn source(&self) -> Time {
        match self {
            Stopwatch::System(_) => Time::SYSTEM,
            Stopwatch::Held(time, _) => Time::held(time),
        }
    }

    pub(crate) fn is_held(&self) -> bool {
        matches!(self, Stopwatch::Held(..))
    }
}

/// Time that goes by only when its holder says so, or by a step at every reading. Tests of limits
/// hold it, so that they do not depend on how fast the machine is; so do reviews, which give way
/// to others.
///
/// ```
/// use std::time::Duration;
/// use search::{Clock, HeldTime, Limits, Time};
///
/// let time = HeldTime::new(Duration::ZERO);
/// let limits = Limits { time: Time::held(&time), ..Limits::default() };
/// let mut clock = Clock::start(&limits.with_wall(Duration::from_secs(1)));
/// assert!(!clock.check());
/// time.advance(Duration::from_secs(1));
/// assert!(clock.check());
/// assert_eq!(time.readings(), 2);
/// ```
#[derive(Debug)]
pub struct HeldTime {
    nanoseconds: AtomicU64,
    step: Duration,
    readings: AtomicU64,
}

impl HeldTime {
    /// A time that goes on by `step` at every reading.
    #[must_use]
    pub fn new(step: Duration) -> Arc<HeldTime> {
        Arc::new(HeldTime {
            nanoseconds: AtomicU64::new(0),
            step,
            readings: AtomicU64::new(0),
        })
    }

    /// Lets time go by.
    pub fn advance(&self, by: Duration) {
        self.nanoseconds
            .fetch_add(by.as_nanos() as u64, Ordering::Relaxed);
    }

    /// The time since the beginning; this is not a reading.
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    /// How often a clock was read.
    #[must_use]
    pub fn readings(&self) -> u64 {
        self.readings.load(Ordering::Relaxed)
    }

    fn read(&self) -> Duration {
        self.readings.fetch_add(1, Ordering::Relaxed);
        self.advance(self.step);
        self.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Limits};

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_source_that_has_begun_is_a_deadline() {
        let time = HeldTime::new(Duration::ZERO);
        let limits = Limits {
            time: Time::held(&time),
            ..Limits::default().with_wall(3 * SECOND)
        };
        let begun = limits.begin();
        time.advance(2 * SECOND);
        let [mut fresh, mut late] = [&limits, &begun].map(Clock::start);
        assert_eq!(
            [fresh.elapsed(), late.elapsed()],
            [Duration::ZERO, 2 * SECOND]
        );
        time.advance(SECOND);
        assert!(!fresh.check() && late.check());
        // To begin again changes nothing.
        assert!(Clock::start(&begun.begin()).check());
    }

    #[test]
    fn every_reading_takes_a_step() {
        let time = HeldTime::new(SECOND);
        let limits = Limits {
            time: Time::held(&time),
            ..Limits::default()
        };
        for limits in [
            limits.clone().with_wall(10 * SECOND),
            limits.with_cpu(10 * SECOND),
        ] {
            let before = time.readings();
            let mut clock = Clock::start(&limits);
            while !clock.tick() {}
            assert_eq!(time.readings() - before, 10, "{limits:?}");
        }
    }
}
