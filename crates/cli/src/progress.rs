//! A progress bar over long work, on standard error, that an interrupt ends in good order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gipf_engine::tables::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Does the work while a bar shows how far it is. The first interrupt sets `stop`.
pub(crate) fn with_bar<T>(stop: &AtomicBool, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let done = AtomicBool::new(false);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Without a handler an interrupt ends the process at once, which loses no more.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let bar = ProgressBar::no_length();
            while !done.load(Ordering::Relaxed) {
                if interrupted.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
                show(&bar, &progress);
                std::thread::sleep(Duration::from_millis(50));
            }
            bar.finish_and_clear();
        });
        let result = work(&progress);
        done.store(true, Ordering::Relaxed);
        result
    })
}

fn show(bar: &ProgressBar, progress: &Progress) {
    let template = match progress.total() {
        0 => "{msg}: {human_pos} positions, {per_sec}",
        total => {
            bar.set_length(total);
            "{msg} [{bar:30}] {human_pos}/{human_len} positions, {per_sec}, {eta} to go"
        }
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    if progress.done() < bar.position() {
        bar.reset();
    }
    bar.set_message(progress.stage());
    bar.set_position(progress.done());
}
