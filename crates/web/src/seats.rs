//! How many do the same at once: so many of one person or address, and so many in all. So nobody
//! takes all there is, and who waits does so behind others of the same address only.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use crate::fault::Fault;

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

/// Why there is no seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    /// The key has all that one may have.
    Own,
    /// All are taken.
    All,
}

impl Full {
    /// The refusal of files that are sent, when those of somebody (`whose`) or of all are too many.
    pub(crate) fn fault(self, whose: &str) -> Fault {
        let whose = match self {
            Full::Own => format!(" {whose}"),
            Full::All => String::new(),
        };
        Fault::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("too many files are being sent{whose}: try again in a moment"),
        )
    }
}

impl<K: Eq + Hash> Seats<K> {
    /// So many for each key, so many for all together.
    pub(crate) fn new(each: usize, all: usize) -> Seats<K> {
        Seats {
            each,
            all: Arc::new(Semaphore::new(all)),
            own: Mutex::default(),
        }
    }

    /// A seat, if there is one.
    pub(crate) fn take(&self, key: K) -> Result<Seat, Full> {
        self.take_of(key, self.each)
    }

    /// The same for a key that may have another number of seats than most; always the same one.
    pub(crate) fn take_of(&self, key: K, each: usize) -> Result<Seat, Full> {
        let (_, own) = self.own(key, each);
        Ok(Seat {
            _own: own.try_acquire_owned().map_err(|_| Full::Own)?,
            _common: Arc::clone(&self.all)
                .try_acquire_owned()
                .map_err(|_: TryAcquireError| Full::All)?,
        })
    }

    /// A seat as soon as there is one. No more than `most` of a key wait or have one.
    pub(crate) async fn wait(&self, key: K, most: usize) -> Result<Seat, Full> {
        let (others, own) = self.own(key, self.each);
        if others >= most {
            return Err(Full::Own);
        }
        Ok(Seat {
            _own: own.acquire_owned().await.map_err(|_| Full::Own)?,
            _common: Arc::clone(&self.all)
                .acquire_owned()
                .await
                .map_err(|_| Full::All)?,
        })
    }

    /// The seats of a key, and how many hold or wait for one. Keys that have none are forgotten.
    fn own(&self, key: K, each: usize) -> (usize, Arc<Semaphore>) {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.retain(|_, seats| Arc::strong_count(seats) > 1);
        let seats = own
            .entry(key)
            .or_insert_with(|| Arc::new(Semaphore::new(each)));
        // The map holds one itself.
        (Arc::strong_count(seats) - 1, Arc::clone(seats))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn seats_are_counted_by_key_and_in_all() {
        let seats = Seats::new(2, 3);
        let first = seats.take("a").unwrap();
        let _second = seats.take("a").unwrap();
        assert_eq!(seats.take("a").unwrap_err(), Full::Own);
        let _third = seats.take("b").unwrap();
        assert_eq!(seats.take("c").unwrap_err(), Full::All);
        drop(first);
        let _fourth = seats.take("c").unwrap();
        assert_eq!(seats.take("a").unwrap_err(), Full::All);
    }

    #[test]
    fn a_crowd_waits_behind_itself_only() {
        let seats = Seats::new(1, 2);
        let first = seats.wait("a", 3).now_or_never().unwrap().unwrap();
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(seats.wait("a", 3))).collect();
        for waits in &mut waiting {
            assert!(waits.as_mut().now_or_never().is_none());
        }
        let refused = seats.wait("a", 3).now_or_never().unwrap();
        assert_eq!(refused.unwrap_err(), Full::Own);
        // Nobody else waits for them.
        let _other = seats.wait("b", 3).now_or_never().unwrap().unwrap();
        drop(first);
        waiting.remove(0).now_or_never().unwrap().unwrap();
    }

    #[test]
    fn who_has_gone_is_forgotten() {
        let seats = Seats::new(1, 9);
        for key in 0..100 {
            drop(seats.take(key).unwrap());
        }
        assert_eq!(seats.own.lock().unwrap().len(), 1);
    }
}
