//! Low priority: a review gives way to games, pages and everything else.

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

#[cfg(test)]
mod tests {
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
}
