//! Work in chunks on several threads, compiled for the processor at hand.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use isa::{Available, Isa, Kernel, Set};

use super::index::Bits;

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
    let best = Available::best();
    let worker = || {
        let mut local = W::Local::default();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks || stop.load(Ordering::Relaxed) {
                return local;
            }
            best.call(Chunk {
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

/// The instruction sets that the tables and the solver gain by: those that pack bits.
pub(crate) const SETS: &[Set] = &[Set::Avx2];

/// One chunk of some work.
struct Chunk<'a, W: Work> {
    work: &'a W,
    chunk: usize,
    local: &'a mut W::Local,
}

impl<W: Work> Kernel for Chunk<'_, W> {
    type Output = ();
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.work.chunk::<I>(self.chunk, self.local);
    }
}
