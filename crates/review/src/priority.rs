//! Low priority: a review gives way to games, pages and everything else.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use search::{HeldTime, Time};

/// How often the time that a review is given goes on.
const STEP: Duration = Duration::from_millis(5);

/// Lets the calling thread, and all that it starts from now on, run only where a processor has
/// nothing else to do: others go before it at once, and the system counts a processor that works for
/// such threads alone as free. Where the system refuses, the review goes on as it is.
pub(crate) fn lower() {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the parameters live for the call; 0 means the calling thread.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters);
    }
}

/// A time that goes by only as far as the machine lets threads of low priority run, until nobody
/// holds it any more: whoever gives way to others must not lose its time by that. The thread that
/// moves it on gives way itself, and adds no more than two steps however long it had to wait.
pub(crate) fn given_time() -> Time {
    let time = HeldTime::new(Duration::ZERO);
    let given = Time::held(&time);
    let held = Arc::downgrade(&time);
    std::thread::spawn(move || {
        lower();
        let mut last = Instant::now();
        loop {
            sleep(STEP);
            let Some(time) = held.upgrade() else { return };
            time.advance(last.elapsed().min(2 * STEP));
            last = Instant::now();
        }
    });
    given
}

#[cfg(test)]
mod tests {
    use search::{Clock, Limits};

    use super::*;
    use crate::prove::side_by_side;

    /// How the calling thread is scheduled.
    fn current() -> libc::c_int {
        // SAFETY: the call takes no pointers; 0 means the calling thread.
        unsafe { libc::sched_getscheduler(0) }
    }

    /// Threads that are started by threads of a review give way as well, as those of provers.
    #[test]
    fn reviews_give_way_and_nobody_else_does() {
        let before = current();
        for (gives_way, expected) in [(true, libc::SCHED_IDLE), (false, before)] {
            side_by_side(&mut [(), ()], gives_way, 8, |(), _| {
                assert_eq!(current(), expected);
                let below = std::thread::scope(|scope| scope.spawn(current).join());
                assert_eq!(below.ok(), Some(expected));
            });
        }
        assert_eq!(current(), before);
    }

    /// How soon, nobody can say; but never sooner than on the wall.
    #[test]
    fn given_time_goes_by() {
        let limits = Limits {
            time: given_time(),
            ..Limits::default().with_wall(10 * STEP)
        };
        let (began, mut clock) = (Instant::now(), Clock::start(&limits));
        while !clock.check() {
            sleep(STEP);
        }
        assert!(began.elapsed() >= 9 * STEP, "{:?}", began.elapsed());
    }
}
