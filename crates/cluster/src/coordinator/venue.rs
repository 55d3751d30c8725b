//! The venue of one tournament: work is given out, results are taken and settled.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use referee::PlayerSpec;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tournament::runner::{Done, Failure, Job, Opening, Pending, Venue};
use tournament::{Config, RunError};

use super::aside::{quarantined_units, release};
use super::listen::{Shared, forward, lock};
use super::prepare::{attend, reference, send_program, work_game};
use super::receive::{Arrived, receive};
use super::waiting::why_nothing_comes;
use super::{ASIDE, Cluster, LOOK, QUIET, STALL, Say, failed};
use crate::error::{Result, server};
use crate::link::Link;
use crate::objects;
use crate::protocol::{Class, PlayedGame, Quarantined, Seat, Work, WorkGame, streams, subjects};
use crate::wire;

/// How long old results may take to arrive.
const CATCH_UP: Duration = Duration::from_secs(10);
/// Pairs that are given out at least, and for every game that can be played at once.
const LEAST: usize = 256;
const PER_SLOT: usize = 4;

/// A result of which some games are not kept yet.
struct Receipt {
    left: HashSet<String>,
    messages: Vec<Message>,
    objects: Vec<String>,
}

/// The venue of one tournament.
pub(super) struct Coordinator {
    link: Link,
    ack_wait: Duration,
    tournament: String,
    /// Its number among those that have run the tournament.
    begun: u64,
    config: Config,
    seats: Vec<Seat>,
    fingerprints: Vec<Option<String>>,
    reference: f64,
    classes: HashSet<Class>,
    known: Shared,
    /// Work that is given out.
    open: HashMap<String, Work>,
    /// Work that is put aside.
    aside: HashMap<String, Work>,
    /// Work that was put aside before.
    aside_before: HashSet<String>,
    arrived: mpsc::Receiver<Arrived>,
    ready: VecDeque<Done>,
    receipts: HashMap<String, Receipt>,
    /// Which result a game came in.
    unit_of: HashMap<String, String>,
    accepted: Vec<String>,
    wish: Arc<AtomicBool>,
    looked: Instant,
    progress: Instant,
    /// Whether it was said why nothing comes.
    said: bool,
    say: Say,
    /// Results that were there when it began: work is given out after them.
    backlog: u64,
    opened: Instant,
    tasks: JoinSet<()>,
}

impl Coordinator {
    pub(super) async fn open(cluster: &Cluster, opening: Opening<'_>) -> Result<Coordinator> {
        let Opening {
            tournament,
            config,
            stop,
            observer,
        } = opening;
        let link = cluster.link.clone();
        link.prepare().await?;
        let known = Shared::default();
        let mut tasks = JoinSet::new();
        let begun = attend(&link, tournament, &known, &mut tasks).await?;
        let (mut seats, mut fingerprints) = (Vec::new(), Vec::new());
        for (number, player) in config.players.iter().enumerate() {
            let (seat, fingerprint) = send_program(&link, player, number).await?;
            seats.push(seat);
            fingerprints.push(fingerprint);
        }
        let (sender, arrived) = mpsc::channel(64);
        let live = link.client.subscribe(subjects::live(tournament)).await;
        let live = live.map_err(server("subscribe"))?;
        tasks.spawn(forward(live, known.clone(), observer));
        let backlog = link.read_results_anew(tournament).await?;
        let say = cluster.say.clone();
        tasks.spawn(receive(link.clone(), tournament.to_owned(), sender, say));
        let players: Vec<&PlayerSpec> = config.players.iter().collect();
        let class = Class::of(&players, config.isolation, config.require, false);
        let reference = reference(cluster, class, &known, &stop).await?;
        let aside_before = quarantined_units(&link, tournament).await?;
        Ok(Coordinator {
            link,
            ack_wait: cluster.ack_wait,
            tournament: tournament.into(),
            begun,
            config: config.clone(),
            seats,
            fingerprints,
            reference,
            classes: HashSet::new(),
            known,
            open: HashMap::new(),
            aside: HashMap::new(),
            aside_before,
            arrived,
            ready: VecDeque::new(),
            receipts: HashMap::new(),
            unit_of: HashMap::new(),
            accepted: Vec::new(),
            wish: stop,
            looked: Instant::now(),
            progress: Instant::now(),
            said: false,
            say: cluster.say.clone(),
            backlog,
            opened: Instant::now(),
            tasks,
        })
    }

    /// Whether results are still to come from before it began.
    fn is_catching_up(&self) -> bool {
        self.backlog > 0 && self.opened.elapsed() < CATCH_UP
    }

    /// The work that games are.
    fn work(&self, games: &[Job]) -> Work {
        let key = games[0].fixture.key;
        let players: Vec<&PlayerSpec> = games[0].setup.players.iter().collect();
        let class = Class::of(
            &players,
            self.config.isolation,
            self.config.require,
            self.config.scale_limits,
        );
        let games_of_work = games.iter().map(|job| {
            let numbers = [job.fixture.first, job.fixture.second];
            let players = numbers.map(|number| self.seats[number].clone());
            work_game(job.id.clone(), numbers, players, &job.setup)
        });
        let games_of_work: Vec<WorkGame> = games_of_work.collect();
        let made_of: String = games_of_work[0].bundles().into_iter().flatten().collect();
        Work {
            tournament: self.tournament.clone(),
            // A program that has changed makes other work.
            unit: format!(
                "{}-{}-{}x{}-{:.8}",
                key.round,
                key.table,
                key.game,
                games.len(),
                referee::hash(made_of.as_bytes())
            ),
            class,
            ack_wait: self.ack_wait.as_millis() as u64,
            reference: self.reference,
            games: games_of_work,
            check: None,
        }
    }

    /// Gives work out, unless it lies there already. Goes on until the server takes it.
    fn give_out(&mut self, work: &Work) {
        let subject = subjects::work(work.class, &work.tournament, &work.unit);
        let (link, bytes) = (self.link.clone(), wire::pack(work));
        while self.tasks.try_join_next().is_some() {}
        self.tasks.spawn(async move {
            while link
                .publish_once(subject.clone(), bytes.clone(), None)
                .await
                .is_err()
            {
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
        });
    }

    /// Takes a result: its games go to the runner one by one.
    fn take(&mut self, (outcome, object, message): Arrived) {
        self.progress = Instant::now();
        self.said = false;
        self.backlog = self.backlog.saturating_sub(1);
        let unit = outcome.unit;
        let is_whole = |work: &Work| {
            let ids = work.games.iter().map(|game| &game.id);
            ids.eq(outcome.games.iter().map(|game| &game.id))
        };
        let seats = &self.seats;
        let is_of_others = |game: &PlayedGame| {
            let numbers = game.numbers.iter().zip(&game.bundles);
            let mut made_of = numbers.map(|(number, bundle)| (seats.get(*number), bundle));
            made_of.any(|(seat, bundle)| seat.is_none_or(|seat| seat.bundle != *bundle))
        };
        if outcome.games.is_empty() || outcome.games.iter().any(is_of_others) {
            // Programs that have changed meanwhile: nobody needs it.
            self.tasks.spawn(async move { drop(message.ack().await) });
            return;
        }
        if let Some(work) = self.open.get(&unit).filter(|work| !is_whole(work)).cloned() {
            // Not what was asked for: it is done again.
            self.tasks.spawn(async move { drop(message.ack().await) });
            return self.give_out(&work);
        }
        if let Some(receipt) = self.receipts.get_mut(&unit) {
            // The same again, while the first is being kept.
            receipt.messages.push(message);
            receipt.objects.extend(object);
            return;
        }
        let mut left = HashSet::new();
        for game in outcome.games {
            let mut record = game.record;
            for (seat, number) in game.numbers.into_iter().enumerate() {
                if let Some(player) = self.config.players.get(number) {
                    record.players[seat] = player.clone();
                    record.programs[seat].clone_from(&self.fingerprints[number]);
                }
            }
            left.insert(game.id.clone());
            self.unit_of.insert(game.id.clone(), unit.clone());
            self.ready.push_back(Done {
                id: game.id,
                result: Ok(record),
            });
        }
        let receipt = Receipt {
            left,
            messages: vec![message],
            objects: object.into_iter().collect(),
        };
        self.receipts.insert(unit, receipt);
    }

    /// All games of a result are kept: nobody needs it any more.
    async fn settle(&mut self, unit: &str) {
        let Some(receipt) = self.receipts.remove(unit) else {
            return;
        };
        for message in receipt.messages {
            // If this is lost it comes again, and is known.
            let _ = message.ack().await;
        }
        for object in receipt.objects {
            objects::remove(&self.link, streams::RECORDS, &object).await;
        }
        self.open.remove(unit);
        lock(&self.known).open.remove(unit);
        if self.aside.remove(unit).is_some() {
            let _ = release(&self.link, &self.tournament, unit).await;
        }
        self.accepted.push(unit.into());
        if self.accepted.len() >= 32 || self.ready.is_empty() {
            self.tell_accepted().await;
        }
    }

    async fn tell_accepted(&mut self) {
        let units = std::mem::take(&mut self.accepted);
        if !units.is_empty() {
            let subject = subjects::accepted(&self.tournament);
            let bytes = wire::pack(&units);
            let _ = self.link.client.publish(subject, bytes.into()).await;
        }
    }

    /// Looks whether work was put aside, and whether everything stands still.
    async fn look_around(&mut self) {
        if self.looked.elapsed() < ASIDE {
            return;
        }
        self.looked = Instant::now();
        if let Ok(units) = quarantined_units(&self.link, &self.tournament).await {
            for unit in units {
                if self.open.contains_key(&unit) {
                    self.put_aside(&unit).await;
                }
            }
        }
        if self.progress.elapsed() > QUIET && !self.said {
            let why = why_nothing_comes(&lock(&self.known));
            self.said = why.is_some();
            why.inspect(|why| (self.say)(why));
        }
        if self.progress.elapsed() > STALL {
            self.progress = Instant::now();
            self.said = false;
            // The server may have lost what it had.
            let _ = self.link.prepare().await;
            for class in self.classes.clone() {
                let _ = self.link.prepare_class(class, self.ack_wait).await;
            }
            let all: Vec<Work> = self.open.values().cloned().collect();
            for work in all {
                self.give_out(&work);
            }
        }
    }

    /// Tells the runner that games are put aside.
    async fn put_aside(&mut self, unit: &str) {
        let subject = subjects::quarantine(&self.tournament, unit);
        let Ok(Some(bytes)) = self.link.last(streams::QUARANTINE, &subject).await else {
            return;
        };
        let known = match wire::unpack::<Quarantined>("quarantine", &bytes) {
            Ok(aside) => aside.known(),
            Err(error) => error.to_string(),
        };
        let Some(work) = self.open.remove(unit) else {
            return;
        };
        for game in &work.games {
            self.ready.push_back(Done {
                id: game.id.clone(),
                result: Err(Failure::Quarantined(known.clone())),
            });
        }
        self.aside.insert(unit.into(), work);
    }

    async fn send_work(&mut self, games: Vec<Job>) -> Result<()> {
        let work = self.work(&games);
        if self.classes.insert(work.class) {
            self.link.prepare_class(work.class, self.ack_wait).await?;
        }
        {
            let mut known = lock(&self.known);
            known.open.insert(work.unit.clone());
            for job in games {
                known.fixtures.insert(job.id, job.fixture);
            }
        }
        let unit = work.unit.clone();
        self.open.insert(unit.clone(), work.clone());
        if self.aside_before.remove(&unit) {
            self.put_aside(&unit).await;
        }
        if self.open.contains_key(&unit) {
            self.give_out(&work);
        }
        Ok(())
    }

    async fn next_done(&mut self) -> Option<Done> {
        loop {
            if let Some(done) = self.ready.pop_front() {
                return Some(done);
            }
            self.tell_accepted().await;
            let idle = self.open.is_empty() && !self.is_catching_up();
            if self.wish.load(Ordering::Relaxed) || idle {
                return None;
            }
            if let Ok(Some(arrived)) = tokio::time::timeout(LOOK, self.arrived.recv()).await {
                self.take(arrived);
            }
            self.look_around().await;
        }
    }

    /// Ends: nobody plays on, and what has arrived is returned.
    async fn close(mut self, finished: bool) -> Vec<Done> {
        let tournament = self.tournament.clone();
        self.link.forget_work(&tournament).await;
        let stop = subjects::stop(&tournament);
        let _ = self.link.client.publish(stop, Vec::new().into()).await;
        while let Ok(arrived) = self.arrived.try_recv() {
            self.take(arrived);
        }
        self.tasks.shutdown().await;
        if finished {
            // Before results are removed: who sends one afterwards asks first.
            self.link.end(&tournament, self.begun).await;
            self.link.forget_results(&tournament).await;
            if let Ok(stream) = self.link.stream(streams::TRIES).await {
                let all = subjects::tries(&tournament, ">");
                let _ = stream.purge().filter(all).await;
            }
        }
        self.tell_accepted().await;
        let _ = self.link.client.flush().await;
        self.ready.into_iter().collect()
    }
}

impl Venue for Coordinator {
    fn takes_pairs(&self) -> bool {
        true
    }

    fn wants_more(&self) -> bool {
        let enough = LEAST.max(PER_SLOT * lock(&self.known).slots());
        self.open.len() < enough && !self.is_catching_up()
    }

    fn send(&mut self, games: Vec<Job>) -> Pending<'_, std::result::Result<(), RunError>> {
        Box::pin(async move { self.send_work(games).await.map_err(failed) })
    }

    fn next(&mut self) -> Pending<'_, std::result::Result<Option<Done>, RunError>> {
        Box::pin(async move { Ok(self.next_done().await) })
    }

    fn kept<'a>(&'a mut self, id: &'a str) -> Pending<'a, ()> {
        Box::pin(async move {
            let Some(unit) = self.unit_of.remove(id) else {
                return;
            };
            lock(&self.known).fixtures.remove(id);
            if let Some(receipt) = self.receipts.get_mut(&unit) {
                receipt.left.remove(id);
                if receipt.left.is_empty() {
                    self.settle(&unit).await;
                }
            }
        })
    }

    fn released(&mut self) -> Pending<'_, std::result::Result<Vec<String>, RunError>> {
        Box::pin(async move {
            let still = quarantined_units(&self.link, &self.tournament).await;
            let still = still.map_err(failed)?;
            let gone: Vec<String> = self.aside.keys().cloned().collect();
            let mut ids = Vec::new();
            for unit in gone.into_iter().filter(|unit| !still.contains(unit)) {
                if let Some(work) = self.aside.remove(&unit) {
                    ids.extend(work.games.iter().map(|game| game.id.clone()));
                    self.open.insert(unit, work);
                }
            }
            Ok(ids)
        })
    }

    fn stop(self: Box<Self>, finished: bool) -> Pending<'static, Vec<Done>> {
        Box::pin(async move { (*self).close(finished).await })
    }
}
