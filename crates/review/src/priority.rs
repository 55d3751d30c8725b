//! Low priority: a review gives way to games, pages and everything else.

/// How nice a review is, on the scale of the system from 0 to 19. Beside a thread of this niceness
/// an ordinary one keeps 96 parts of a processor in a hundred.
const NICE: libc::c_int = 15;

/// Gives the calling thread, and all that it starts from now on, a low priority. Where the system
/// refuses, the review goes on as it is.
pub(crate) fn lower() {
    // SAFETY: the call takes no pointers; 0 means the calling thread.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
    }
}
