//! What a review may use up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::Room;
use search::{Limits, Time};

/// What the review of one game may use up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Time for the whole game; none at all says what is known already. It is time on the wall
    /// clock, but if the review gives way, only as far as the machine has nothing else to do.
    pub time: Duration,
    /// The most time for one position.
    pub per_position: Option<Duration>,
    /// Threads and memory of the provers.
    pub room: Room,
    /// Whether everything else on the machine comes first.
    pub gives_way: bool,
    /// A flag that somebody else sets to end the review early.
    pub stop: Arc<AtomicBool>,
    /// Where the time comes from.
    pub source: Time,
}

impl Default for Budget {
    /// Half a minute on one thread of low priority, and one gigabyte.
    fn default() -> Budget {
        Budget {
            time: Duration::from_secs(30),
            per_position: None,
            room: Room {
                threads: 1,
                memory: 1 << 30,
            },
            gives_way: true,
            stop: Arc::default(),
            source: Time::default(),
        }
    }
}

impl Budget {
    /// The same budget with this time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Budget {
        Budget { time, ..self }
    }

    /// The same budget with so many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Budget {
        let room = Room {
            threads: threads.max(1),
            ..self.room
        };
        Budget { room, ..self }
    }

    /// A part of the time, from now.
    pub(crate) fn limits(&self, part: f64) -> Limits {
        Limits {
            time: self.source.clone(),
            ..Limits::default()
                .with_wall(self.time.mul_f64(part))
                .with_stop(Arc::clone(&self.stop))
        }
    }
}
