//! How far a search may go.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::Time;

/// What ends a search; whichever comes first. The default is no limit at all.
///
/// ```
/// use search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default()
///     .with_depth(8)
///     .with_wall(Duration::from_millis(200));
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time on the wall clock.
    pub wall: Option<Duration>,
    /// Time on the wall clock that is well spent: a search that goes in steps takes about
    /// so long, a little less or more, so that it need not break a step off.
    pub about: Option<Duration>,
    /// Processor time of all threads of the search together.
    pub cpu: Option<Duration>,
    /// A flag that somebody else sets to end the search early.
    pub stop: Option<Arc<AtomicBool>>,
    /// Where the time comes from.
    pub time: Time,
}

impl Limits {
    /// The same limits with this depth.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Limits {
        let depth = Some(depth);
        Limits { depth, ..self }
    }

    /// The same limits with this number of positions.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Limits {
        let nodes = Some(nodes);
        Limits { nodes, ..self }
    }

    /// The same limits with this time on the wall clock.
    #[must_use]
    pub fn with_wall(self, wall: Duration) -> Limits {
        let wall = Some(wall);
        Limits { wall, ..self }
    }

    /// The same limits with this time as a guide.
    #[must_use]
    pub fn with_about(self, about: Duration) -> Limits {
        let about = Some(about);
        Limits { about, ..self }
    }

    /// The same limits with this processor time.
    #[must_use]
    pub fn with_cpu(self, cpu: Duration) -> Limits {
        let cpu = Some(cpu);
        Limits { cpu, ..self }
    }

    /// The same limits with this flag.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Limits {
        let stop = Some(stop);
        Limits { stop, ..self }
    }

    /// The same limits, whose time runs from now for every search that is begun with them: the
    /// wall clock goes on for all of them, and what a thread uses of the processor is taken off
    /// what is left for all.
    #[must_use]
    pub fn begin(&self) -> Limits {
        let time = self.time.begin();
        Limits {
            time,
            ..self.clone()
        }
    }

    /// The tighter of the two in everything. Only one flag can be watched, and one source of
    /// time: those of `self` if it has them.
    #[must_use]
    pub fn and(&self, other: &Limits) -> Limits {
        fn tighter<T: Ord + Copy>(a: Option<T>, b: Option<T>) -> Option<T> {
            a.into_iter().chain(b).min()
        }
        Limits {
            depth: tighter(self.depth, other.depth),
            nodes: tighter(self.nodes, other.nodes),
            wall: tighter(self.wall, other.wall),
            about: tighter(self.about, other.about),
            cpu: tighter(self.cpu, other.cpu),
            stop: self.stop.clone().or_else(|| other.stop.clone()),
            time: match self.time.is_system() {
                true => other.time.clone(),
                false => self.time.clone(),
            },
        }
    }

    /// Whether depth, positions and time are all free, so that only a flag could end
    /// a search.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.wall.is_none() && self.cpu.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_limit_counts() {
        let a = Limits::default().with_depth(4).with_nodes(10);
        let b = Limits::default()
            .with_nodes(7)
            .with_wall(Duration::from_secs(1));
        let both = a.and(&b);
        assert_eq!(both.depth, Some(4));
        assert_eq!(both.nodes, Some(7));
        assert_eq!(both.wall, Some(Duration::from_secs(1)));
        assert_eq!(both.cpu, None);
        assert!(!both.is_endless());
        assert!(Limits::default().is_endless());
    }
}
