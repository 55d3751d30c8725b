//! Engines at work: few at a time, and only while somebody waits for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

/// Lets a bounded number of searches run at once; the others queue in order.
#[derive(Debug)]
pub(crate) struct Pool {
    places: Semaphore,
}

/// Somebody who waits for a search. When the last clone is dropped, the search stops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interest(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Interest {
    /// The flag that says stop; it does not keep the interest alive.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.0.clone()
    }

    /// A handle that does not keep the interest alive.
    pub(crate) fn downgrade(&self) -> WeakInterest {
        WeakInterest(Arc::downgrade(&self.0))
    }
}

/// A search that may have lost its last listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct WeakInterest(std::sync::Weak<Flag>);

impl WeakInterest {
    /// Joins the search, if it still goes on.
    pub(crate) fn upgrade(&self) -> Option<Interest> {
        let flag = self.0.upgrade()?;
        let stopped = flag.0.load(Ordering::Relaxed);
        (!stopped).then_some(Interest(flag))
    }

    /// Stops the search, whoever still waits for it.
    pub(crate) fn stop(&self) {
        if let Some(flag) = self.0.upgrade() {
            flag.0.store(true, Ordering::Relaxed);
        }
    }
}

impl Pool {
    /// A pool for so many searches at once.
    pub(crate) fn new(width: usize) -> Pool {
        Pool {
            places: Semaphore::new(width.max(1)),
        }
    }

    /// How many more searches could run now.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Runs a piece of work on a thread of its own once there is a place; `None` if it
    /// was stopped before it began, or died.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        stop: &AtomicBool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let _place = self.places.acquire().await.ok()?;
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        tokio::task::spawn_blocking(work).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    #[tokio::test]
    async fn no_more_than_the_width_run_at_once() {
        let pool = Arc::new(Pool::new(2));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        // Nobody goes on before a second one runs beside it.
        let company = Arc::new(Barrier::new(2));
        let interest = Interest::default();
        let tasks: Vec<_> = (0..20)
            .map(|_| {
                let (pool, now, most) = (pool.clone(), now.clone(), most.clone());
                let company = company.clone();
                let flag = interest.flag();
                tokio::spawn(async move {
                    pool.run(&flag, move || {
                        let running = now.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(running, Ordering::SeqCst);
                        company.wait();
                        now.fetch_sub(1, Ordering::SeqCst);
                    })
                    .await
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), Some(()));
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun() {
        let pool = Pool::new(1);
        let interest = Interest::default();
        let (flag, weak) = (interest.flag(), interest.downgrade());
        assert!(weak.upgrade().is_some());
        drop(interest);
        assert!(weak.upgrade().is_none());
        assert_eq!(pool.run(&flag, || 1).await, None);
    }

    #[tokio::test]
    async fn what_is_stopped_is_nobodys_any_more() {
        let pool = Pool::new(1);
        let interest = Interest::default();
        let weak = interest.downgrade();
        weak.stop();
        assert!(weak.upgrade().is_none(), "joined though it was stopped");
        assert_eq!(pool.run(&interest.flag(), || 1).await, None);
    }
}
