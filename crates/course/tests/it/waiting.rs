//! Waiting for what must happen, however slow the machine is.

use std::time::{Duration, Instant};

/// What takes so long hangs.
pub(crate) const HANG: Duration = Duration::from_secs(1800);

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < HANG, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
