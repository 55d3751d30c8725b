//! Hand-ins that have begun to arrive: they count from their beginning, however long the rest takes.

use std::sync::{Arc, Mutex};

use crate::open_course::locked;
use crate::time::{Millis, now};

/// All that is arriving: when each began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals(Arc<Mutex<Vec<Millis>>>);

/// A hand-in that is arriving, until this is dropped. It is received when it began, and a final
/// waits for those that began in time.
#[derive(Debug)]
pub struct Arriving {
    pub(crate) since: Millis,
    all: Arrivals,
}

impl Arrivals {
    pub(crate) fn begin(&self) -> Arriving {
        let mut all = locked(&self.0);
        // Taken while nobody looks: what begins in time is seen by whoever looks later.
        let since = now();
        all.push(since);
        Arriving {
            since,
            all: self.clone(),
        }
    }

    /// Whether something is arriving that began until then.
    pub(crate) fn any_until(&self, last: Millis) -> bool {
        locked(&self.0).iter().any(|since| *since <= last)
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let mut all = locked(&self.all.0);
        if let Some(place) = all.iter().position(|since| *since == self.since) {
            all.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_is_known_until_it_has() {
        let arrivals = Arrivals::default();
        let (one, two) = (arrivals.begin(), arrivals.begin());
        assert!(arrivals.any_until(two.since) && !arrivals.any_until(one.since - 1));
        let first = one.since;
        drop(one);
        assert!(arrivals.any_until(two.since) && !arrivals.any_until(first - 1));
        drop(two);
        assert!(!arrivals.any_until(Millis::MAX));
    }
}
