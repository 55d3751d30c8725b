//! The threads that play.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use referee::play_game;
use tokio::sync::mpsc as results;

use super::cores::{allowed_cores, keep_to};
use super::events::{Event, Observer};
use super::venue::{Done, Failure, Job, Pending, Venue};
use super::{RunError, RunOptions};

impl Failure {
    pub(super) fn into_run_error(self, game: &str) -> RunError {
        let game = game.into();
        match self {
            Failure::Setup(source) => RunError::Setup { game, source },
            Failure::Panic(message) | Failure::Quarantined(message) => {
                RunError::Panic { game, message }
            }
        }
    }
}

/// How often the wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Worker threads, fed through a channel.
pub(super) struct Pool {
    jobs: Option<mpsc::Sender<Job>>,
    done: results::UnboundedReceiver<Done>,
    workers: Vec<JoinHandle<()>>,
    /// The wish of the caller.
    wish: Arc<AtomicBool>,
    /// Set to give up the running games.
    stop: Arc<AtomicBool>,
    pending: usize,
    most_pending: usize,
}

impl Pool {
    pub(super) fn new(options: &RunOptions) -> Pool {
        let count = options.concurrency.max(1);
        let (jobs, queue) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        let (sender, done) = results::unbounded_channel();
        let stop = Arc::new(AtomicBool::new(false));
        let cores = match allowed_cores() {
            // Too few for one each: let the system share them out.
            cores if !options.pin || cores.len() < count => Vec::new(),
            cores => cores,
        };
        let workers = (0..count)
            .map(|number| {
                let worker = Worker {
                    core: cores.get(number).copied(),
                    queue: queue.clone(),
                    done: sender.clone(),
                    stop: stop.clone(),
                    observer: options.observer.clone(),
                };
                std::thread::Builder::new()
                    .name(format!("game-{number}"))
                    .spawn(move || worker.work())
                    .expect("the system can start a thread")
            })
            .collect();
        Pool {
            jobs: Some(jobs),
            done,
            workers,
            wish: options.stop.clone(),
            stop,
            pending: 0,
            // One game waits for every worker, so that none waits for the store.
            most_pending: 2 * count,
        }
    }

    fn give_up(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.jobs = None;
    }
}

impl Venue for Pool {
    fn wants_more(&self) -> bool {
        self.pending < self.most_pending
    }

    fn send(&mut self, games: Vec<Job>) -> Pending<'_, Result<(), RunError>> {
        if let Some(jobs) = &self.jobs {
            for job in games {
                self.pending += 1;
                // Workers only end when the channel is closed, so somebody takes it.
                let _ = jobs.send(job);
            }
        }
        Box::pin(async { Ok(()) })
    }

    fn next(&mut self) -> Pending<'_, Result<Option<Done>, RunError>> {
        Box::pin(async {
            if self.pending == 0 {
                return Ok(None);
            }
            loop {
                if self.wish.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                if let Ok(done) = tokio::time::timeout(LOOK, self.done.recv()).await {
                    self.pending -= 1;
                    return Ok(done);
                }
            }
        })
    }

    fn stop(mut self: Box<Self>, _finished: bool) -> Pending<'static, Vec<Done>> {
        Box::pin(async move {
            self.give_up();
            let workers = std::mem::take(&mut self.workers);
            let joined = tokio::task::spawn_blocking(move || {
                for worker in workers {
                    // A worker catches the panics of its games.
                    let _ = worker.join();
                }
            });
            let _ = joined.await;
            let mut finished = Vec::new();
            while let Ok(done) = self.done.try_recv() {
                finished.push(done);
            }
            finished
        })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.give_up();
    }
}

struct Worker {
    core: Option<usize>,
    queue: Arc<Mutex<mpsc::Receiver<Job>>>,
    done: results::UnboundedSender<Done>,
    stop: Arc<AtomicBool>,
    observer: Arc<dyn Observer>,
}

impl Worker {
    fn work(self) {
        if let Some(core) = self.core {
            keep_to(core);
        }
        loop {
            let job = {
                let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.recv()
            };
            let Ok(job) = job else { return };
            if self.stop.load(Ordering::Relaxed) {
                continue;
            }
            let done = self.play(job);
            if self.done.send(done).is_err() {
                return;
            }
        }
    }

    fn play(&self, job: Job) -> Done {
        let Job { id, fixture, setup } = job;
        self.observer.event(&Event::GameStarted {
            id: id.clone(),
            fixture,
            start: setup.start.to_string(),
        });
        let mut observe = |record: &referee::MoveRecord| {
            self.observer.event(&Event::Turn {
                id: id.clone(),
                record: Box::new(record.clone()),
            });
        };
        let game = catch_unwind(AssertUnwindSafe(|| {
            play_game(&setup, &mut observe, &self.stop)
        }));
        let result = match game {
            Ok(Ok(record)) => Ok(record),
            Ok(Err(error)) => Err(Failure::Setup(error)),
            Err(panic) => Err(Failure::Panic(panic_message(panic.as_ref()))),
        };
        Done { id, result }
    }
}

/// What a panic says.
#[must_use]
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("no message"))
}
