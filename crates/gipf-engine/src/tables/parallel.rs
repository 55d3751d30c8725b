//! Work in chunks on several threads, compiled for the processor at hand.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::index::{Bits, Portable};

/// Work that falls into chunks which can be done in any order.
pub(crate) trait Work: Sync {
    /// What a thread keeps while it works, and gives back at the end.
    type Local: Send + Default;

    /// Does one chunk. Implementations are always inlined, so that they are compiled for
    /// the instructions of `B`.
    fn chunk<B: Bits>(&self, chunk: usize, local: &mut Self::Local);
}

/// Does all chunks on so many threads; leaves the rest undone once `stop` is set.
pub(crate) fn run<W: Work>(
    work: &W,
    chunks: usize,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<W::Local> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut local = W::Local::default();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks || stop.load(Ordering::Relaxed) {
                return local;
            }
            run_here(&mut Chunk {
                work,
                chunk,
                local: &mut local,
            });
        }
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(chunks))
            .map(|_| scope.spawn(worker))
            .collect();
        let mut locals = vec![worker()];
        for helper in helpers {
            match helper.join() {
                Ok(local) => locals.push(local),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        locals
    })
}

/// Something that is compiled for the processor at hand.
pub(crate) trait Task {
    /// Does it. Implementations are always inlined.
    fn run<B: Bits>(&mut self);
}

/// Does a task with the best instructions that the processor has.
pub(crate) fn run_here(task: &mut impl Task) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has just said that it knows these instructions.
        return unsafe { super::bmi2::run(task) };
    }
    task.run::<Portable>();
}

/// One chunk of some work.
struct Chunk<'a, W: Work> {
    work: &'a W,
    chunk: usize,
    local: &'a mut W::Local,
}

impl<W: Work> Task for Chunk<'_, W> {
    #[inline(always)]
    fn run<B: Bits>(&mut self) {
        self.work.chunk::<B>(self.chunk, self.local);
    }
}
