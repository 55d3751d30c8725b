//! How many do the same at once: so many of one person or address, and so many in all. So nobody
//! takes all there is, and who waits does so behind others of the same address only.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The seats that there are for something.
#[derive(Debug)]
pub(crate) struct Seats<K> {
    /// So many of one key.
    each: usize,
    all: Arc<Semaphore>,
    own: Mutex<HashMap<K, Arc<Semaphore>>>,
}

/// A seat; it is free again when this is dropped. Work that nobody can stop takes it along.
#[derive(Debug)]
pub(crate) struct Seat {
    _own: OwnedSemaphorePermit,
    _common: OwnedSemaphorePermit,
}

/// There are too many who want one.
#[derive(Debug)]
pub(crate) struct Full;

impl<K: Eq + Hash> Seats<K> {
    /// So many for each key, so many for all together.
    pub(crate) fn new(each: usize, all: usize) -> Seats<K> {
        Seats {
            each,
            all: Arc::new(Semaphore::new(all)),
            own: Mutex::default(),
        }
    }

    /// A seat as soon as there is one. No more than `most` of a key wait or have one.
    pub(crate) async fn wait(&self, key: K, most: usize) -> Result<Seat, Full> {
        let (others, own) = self.own(key);
        if others >= most {
            return Err(Full);
        }
        Ok(Seat {
            _own: own.acquire_owned().await.map_err(|_| Full)?,
            _common: Arc::clone(&self.all)
                .acquire_owned()
                .await
                .map_err(|_| Full)?,
        })
    }

    /// The seats of a key, and how many hold or wait for one. Keys that have none are forgotten.
    fn own(&self, key: K) -> (usize, Arc<Semaphore>) {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.retain(|_, seats| Arc::strong_count(seats) > 1);
        let seats = own
            .entry(key)
            .or_insert_with(|| Arc::new(Semaphore::new(self.each)));
        // The map holds one itself.
        (Arc::strong_count(seats) - 1, Arc::clone(seats))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_crowd_waits_behind_itself_only() {
        let seats = Seats::new(1, 2);
        let first = seats.wait("a", 3).now_or_never().unwrap().unwrap();
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(seats.wait("a", 3))).collect();
        for waits in &mut waiting {
            assert!(waits.as_mut().now_or_never().is_none());
        }
        let refused = seats.wait("a", 3).now_or_never().unwrap();
        assert!(refused.is_err());
        // Nobody else waits for them.
        let _other = seats.wait("b", 3).now_or_never().unwrap().unwrap();
        drop(first);
        waiting.remove(0).now_or_never().unwrap().unwrap();
    }

    #[test]
    fn who_has_gone_is_forgotten() {
        let seats = Seats::new(1, 9);
        for key in 0..100 {
            drop(seats.wait(key, 9).now_or_never().unwrap().unwrap());
        }
        assert_eq!(seats.own.lock().unwrap().len(), 1);
    }
}
