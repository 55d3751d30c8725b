//! Low priority: a review gives way to games, pages and everything else.

/// How nice a review is, on the scale of the system from 0 to 19. Beside a thread of this niceness
/// an ordinary one keeps 96 parts of a processor in a hundred.
pub(crate) const NICE: libc::c_int = 15;

/// Gives the calling thread, and all that it starts from now on, a low priority. Where the system
/// refuses, the review goes on as it is.
pub(crate) fn lower() {
    // SAFETY: the call takes no pointers; 0 means the calling thread.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
    }
}

/// How nice the calling thread is.
#[cfg(test)]
pub(crate) fn current() -> libc::c_int {
    // SAFETY: the call takes no pointers; 0 means the calling thread.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::side_by_side;

    /// Threads that are started by threads of a review give way as well, as those of provers.
    #[test]
    fn reviews_give_way_and_nobody_else_does() {
        let before = current();
        for (gives_way, expected) in [(true, NICE.max(before)), (false, before)] {
            side_by_side(&mut [(), ()], gives_way, 8, |(), _| {
                assert_eq!(current(), expected);
                let below = std::thread::scope(|scope| scope.spawn(current).join());
                assert_eq!(below.ok(), Some(expected));
            });
        }
        assert_eq!(current(), before);
    }
}
