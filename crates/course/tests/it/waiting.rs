//! Waiting for what must happen, however slow the machine is.

use std::time::Duration;

/// What takes so long hangs.
pub(crate) const HANG: Duration = Duration::from_secs(1800);

/// The time between two looks.
const NAP: Duration = Duration::from_millis(20);

/// Waits until something is so: for as many looks as fit into [`HANG`], not by the clock, since on
/// a slow machine a look may take longer than the time between two.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..HANG.as_millis() / NAP.as_millis() {
        if happened() {
            return;
        }
        std::thread::sleep(NAP);
    }
    panic!("never: {what}");
}
