//! A worker that is a thread of the test.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use cluster::{Address, WorkerOptions};

/// It ends with the test.
pub(crate) struct ThreadWorker {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ThreadWorker {
    /// Plays two games at once. How fast this machine is decides nothing.
    pub(crate) fn start(name: &str, address: Address, place: PathBuf) -> ThreadWorker {
        let mut options = WorkerOptions::new(address);
        options.name = Some(name.into());
        options.slots = Some(2);
        options.place = Some(place);
        options.pin = false;
        options.calibrate = Arc::new(|| 1.0);
        let own = name.to_owned();
        options.say = Arc::new(move |line| eprintln!("{own}: {line}"));
        let stop = options.stop.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(cluster::work(options)).unwrap();
        });
        ThreadWorker {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for ThreadWorker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().unwrap().join();
    }
}
