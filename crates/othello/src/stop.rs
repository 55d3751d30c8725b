//! Stop flags, passed down from search to subsearch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that ends a search and all searches below it.
#[derive(Default, Debug)]
pub(crate) struct Stop {
    flag: AtomicBool,
    above: Option<Arc<Stop>>,
}

impl Stop {
    /// A flag for a search that is part of another one.
    pub(crate) fn below(above: &Arc<Stop>) -> Arc<Stop> {
        Arc::new(Stop {
            flag: AtomicBool::new(false),
            above: Some(above.clone()),
        })
    }

    /// Ends the search.
    pub(crate) fn set(&self) {
        self.flag.store(true, Relaxed);
    }

    /// This flag and all above it.
    fn chain(&self) -> impl Iterator<Item = &Stop> {
        std::iter::successors(Some(self), |stop| stop.above.as_deref())
    }

    /// Whether this search, or one that it is part of, is to end.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.chain().any(|stop| stop.flag.load(Relaxed))
    }

    /// Whether this search is part of that one.
    pub(crate) fn is_below(&self, other: &Stop) -> bool {
        self.chain().any(|stop| std::ptr::eq(stop, other))
    }
}
