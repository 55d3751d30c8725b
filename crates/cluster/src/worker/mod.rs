//! A worker: takes pairs of games, plays them, and sends what came of it.
//!
//! A piece of work is acknowledged only when its result lies with the server, and a result is
//! forgotten only when the coordinator has it. So whatever dies at whatever moment, a pair is
//! played at least once, and its result arrives at least once; the coordinator keeps one.

mod attempt;
mod listen;
mod queues;
mod send;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::Message;
use games::Resources;
use referee::{Isolation, IsolationMode};
use tokio::sync::mpsc;
use tournament::runner::physical_cores;

use self::queues::Queues;
pub(crate) use self::send::send_result;
use crate::cache::Cache;
use crate::error::Result;
use crate::link::{Address, Link};
use crate::protocol::{News, VERSION};
use crate::slot::{Calibrate, Slot};
use crate::speed;
use crate::spool::{Key, Spool};
use crate::state::{State, claim_cores, usual_place};

/// How often queues are looked for that were not there.
const LOOK: Duration = Duration::from_secs(2);

/// How a worker is set up.
#[derive(Clone)]
pub struct WorkerOptions {
    /// The server.
    pub address: Address,
    /// What it calls itself [default: the machine and a number].
    pub name: Option<String>,
    /// How many games at once [default: one for every physical core].
    pub slots: Option<usize>,
    /// Whether every game gets a core of its own, that no other worker on this machine uses.
    pub pin: bool,
    /// Where programs and results are kept.
    pub place: Option<PathBuf>,
    /// Programs that were not used for so long are removed.
    pub keep: Duration,
    /// What built-in bots may use beside their own code.
    pub resources: Resources,
    /// Set it to end: games that are being played are given back.
    pub stop: Arc<AtomicBool>,
    /// Says lines to whoever started it.
    pub say: Arc<dyn Fn(&str) + Send + Sync>,
    /// Measures a core.
    pub calibrate: Calibrate,
    /// What this machine can enforce; tried out where it is not said.
    pub walls: Option<std::result::Result<Isolation, String>>,
    /// The protocol that it speaks.
    pub protocol: u32,
}

impl WorkerOptions {
    /// A worker for a server.
    #[must_use]
    pub fn new(address: Address) -> WorkerOptions {
        WorkerOptions {
            address,
            name: None,
            slots: None,
            pin: true,
            place: None,
            keep: Duration::from_secs(7 * 24 * 3600),
            resources: Resources::default(),
            stop: Arc::default(),
            say: Arc::new(|_| ()),
            calibrate: Arc::new(speed::measure),
            walls: None,
            protocol: VERSION,
        }
    }
}

/// Works until somebody says stop.
pub async fn work(options: WorkerOptions) -> Result<()> {
    let state = State::claim(&options.place.clone().unwrap_or_else(usual_place))?;
    let name = match &options.name {
        Some(name) => name.clone(),
        None => format!("{}-{}", machine_name(), state.number),
    };
    let name = token(&name);
    let cores = physical_cores();
    let count = options.slots.unwrap_or(cores.len()).max(1);
    let walls = options
        .walls
        .clone()
        .unwrap_or_else(|| referee::survey(IsolationMode::Auto).map_err(|error| error.to_string()));
    let mut claimed = match options.pin {
        true => claim_cores(&cores, count)?,
        false => Vec::new(),
    };
    claimed.reverse();
    let (mut slots, mut measured) = (Vec::new(), Vec::new());
    for number in 0..count {
        let core = claimed.pop();
        let has_core = core.is_some() || !options.pin;
        let slot = Slot::start(number, core, options.calibrate.clone());
        measured.push(Measured::new(slot.calibrate().await, has_core));
        slots.push(slot);
    }
    let link = Link::connect(&options.address, &name).await?;
    let (news, all_news) = mpsc::unbounded_channel();
    let shared = Arc::new(Shared {
        cache: Cache::new(state.folder.clone(), options.keep),
        spool: Spool::open(state.folder.join("spool")),
        state,
        name,
        link,
        walls,
        news,
        cores,
        measured: Mutex::new(measured),
        unwritable: Mutex::new(None),
        queues: tokio::sync::Mutex::default(),
        reference: Mutex::new(None),
        playing: Mutex::default(),
        unacknowledged: Mutex::default(),
        busy: AtomicUsize::new(0),
        finished: AtomicU64::new(0),
        troubles: Mutex::default(),
        told: Mutex::new(None),
        options,
    });
    (shared.options.say)(&format!(
        "worker {}: {} at once, {}",
        shared.name,
        match shared.slots() {
            1 => "1 game".into(),
            many => format!("{many} games"),
        },
        shared.walls_text()
    ));
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(shared.clone().listen());
    tasks.spawn(shared.clone().tell_news(all_news));
    tasks.spawn(shared.clone().be_present());
    tasks.spawn(shared.clone().send_again());
    tasks.spawn(shared.clone().say_refusal());
    tasks.spawn(shared.clone().watch_server());
    let mut playing = tokio::task::JoinSet::new();
    for (number, slot) in slots.into_iter().enumerate() {
        playing.spawn(shared.clone().serve(number, slot));
    }
    while playing.join_next().await.is_some() {}
    shared.send_due().await;
    let _ = shared.link.client.flush().await;
    tasks.shutdown().await;
    Ok(())
}

/// What is known of the core that a thread plays on.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// The time of the fixed work, in seconds.
    seconds: f64,
    /// When that was measured.
    at: Instant,
    /// Whether the thread has a core to itself, or needs none.
    has_core: bool,
}

impl Measured {
    fn new(seconds: f64, has_core: bool) -> Measured {
        Measured {
            seconds,
            at: Instant::now(),
            has_core,
        }
    }
}

/// What the tasks of a worker share.
struct Shared {
    options: WorkerOptions,
    name: String,
    state: State,
    link: Link,
    cache: Cache,
    spool: Spool,
    walls: std::result::Result<Isolation, String>,
    news: mpsc::UnboundedSender<News>,
    /// The cores of this machine that games may have to themselves.
    cores: Vec<usize>,
    /// What is known of the core of every thread that plays.
    measured: Mutex<Vec<Measured>>,
    /// Why nothing can be written to the disk, if that was found.
    unwritable: Mutex<Option<String>>,
    queues: tokio::sync::Mutex<Queues>,
    reference: Mutex<Option<f64>>,
    /// What is being played, and how to stop it.
    playing: Mutex<HashMap<Key, Arc<AtomicBool>>>,
    /// Work whose results the server has not taken yet.
    unacknowledged: Mutex<HashMap<Key, Message>>,
    busy: AtomicUsize,
    finished: AtomicU64,
    /// What keeps from work, by subject and core.
    troubles: Mutex<BTreeMap<(&'static str, usize), String>>,
    /// What a coordinator has said that keeps from work.
    told: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn is_stopped(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    fn walls_text(&self) -> String {
        match &self.walls {
            Ok(found) => match found.gaps().collect::<Vec<_>>().as_slice() {
                [] => format!("walls by {}", found.mode),
                gaps => format!("walls by {}, without: {}", found.mode, gaps.join("; ")),
            },
            Err(why) => format!("no walls: {why}"),
        }
    }

    /// Notes what keeps from work, and says it the first time.
    fn trouble(&self, subject: &'static str, number: usize, what: Option<String>) {
        let mut troubles = lock(&self.troubles);
        match what {
            None => drop(troubles.remove(&(subject, number))),
            Some(what) => {
                // Cores of one machine often have the same trouble.
                let is_said = troubles.values().any(|known| *known == what);
                let said = what.clone();
                if troubles.insert((subject, number), what).is_none() && !is_said {
                    (self.options.say)(&said);
                }
            }
        }
    }

    /// Whether a thread may play something: one without a core may if so many were asked for.
    fn may_play(&self, measured: Measured) -> bool {
        measured.has_core || self.options.slots.is_some()
    }

    /// How many games can be played at once.
    fn slots(&self) -> usize {
        let measured = lock(&self.measured).clone();
        measured.iter().filter(|one| self.may_play(**one)).count()
    }

    /// One thread: takes work and plays it until somebody says stop.
    async fn serve(self: Arc<Shared>, number: usize, slot: Slot) {
        let mut last = None;
        while !self.is_stopped() {
            // Queues of another version have other names.
            if lock(&self.told).is_some() || self.options.protocol != VERSION {
                tokio::time::sleep(LOOK / 4).await;
                continue;
            }
            let full = self.state.trouble();
            self.trouble("disk", 0, full.clone());
            self.try_to_write();
            if full.is_some() || !self.has_core(number, &slot).await {
                tokio::time::sleep(LOOK / 4).await;
                continue;
            }
            self.freshen(number, &slot).await;
            let queues = self.queues(number).await;
            match self.pull(&queues, &mut last).await {
                Some(message) => {
                    self.busy.fetch_add(1, Ordering::Relaxed);
                    self.handle(number, &slot, message).await;
                    self.busy.fetch_sub(1, Ordering::Relaxed);
                    if lock(&self.unwritable).is_some() {
                        // Others come first.
                        tokio::time::sleep(LOOK).await;
                    }
                }
                None if queues.is_empty() => tokio::time::sleep(LOOK / 4).await,
                None => {}
            }
        }
    }

    /// Where something could not be written: whether it can now.
    fn try_to_write(&self) {
        let mut unwritable = lock(&self.unwritable);
        if unwritable.is_some() {
            *unwritable = self
                .state
                .try_to_write()
                .err()
                .map(|error| error.to_string());
        }
    }

    /// Whether a thread may play; takes a core for it that has become free.
    async fn has_core(&self, number: usize, slot: &Slot) -> bool {
        let known = lock(&self.measured)[number];
        if known.has_core {
            return true;
        }
        let claimed = claim_cores(&self.cores, 1)
            .ok()
            .and_then(|mut all| all.pop());
        if let Some(core) = claimed {
            slot.move_to(core);
            let seconds = slot.calibrate().await;
            lock(&self.measured)[number] = Measured::new(seconds, true);
            self.trouble("core", number, None);
            return true;
        }
        let kind = match self.may_play(known) {
            true => "timed games",
            false => "games",
        };
        let why = format!("no {kind} until a core is free: other workers have all of this machine");
        self.trouble("core", number, Some(why));
        self.may_play(known)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis() as u64)
}

/// The name of this machine.
pub(crate) fn machine_name() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A text as one word of a subject.
pub(crate) fn token(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '-'
        }
    };
    let token: String = text.chars().take(64).map(plain).collect();
    match token.is_empty() {
        true => "worker".into(),
        false => token,
    }
}
