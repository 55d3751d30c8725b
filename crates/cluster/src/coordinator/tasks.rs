//! Games that belong to no tournament, and programs to be graded: for a course. Whoever asks for one
//! waits for it; what nobody waits for any more is forgotten.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures_util::StreamExt;
use referee::check::CheckReport;
use referee::{GameRecord, GameSetup, IsolationMode, Kind, PlayerSpec};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tournament::config::Require;
use tournament::runner::{Grading, NoResult, Pending, TaskRunner};

use super::aside::release;
use super::listen::{Shared, lock};
use super::prepare::{attend, reference, send_program, work_game};
use super::receive::{Arrived, receive};
use super::waiting::why_nothing_comes;
use super::{ASIDE, Cluster, LOOK, QUIET, STALL};
use crate::error::{ClusterError, Result, server};
use crate::objects;
use crate::protocol::{Class, News, Outcome, Quarantined, Work, WorkCheck, streams, subjects};
use crate::wire;
use crate::worker::now;

/// The workers as a place for the games and the grading of a course.
pub(super) struct ClusterTasks {
    cluster: Cluster,
    name: String,
    /// When it was opened: no work of an earlier one has the same name.
    opened: u64,
    count: AtomicU64,
    known: Shared,
    waiting: Arc<Waiting>,
    _tasks: JoinSet<()>,
}

/// Who waits for what, by the names of work.
type Waiting = Mutex<HashMap<String, Waiter>>;

/// Somebody who waits for work.
struct Waiter {
    work: Work,
    outcome: oneshot::Sender<Outcome>,
    /// How many cases have been tried, and of how many.
    tried: watch::Sender<(usize, usize)>,
}

/// Whoever hears how many cases of a program have been tried, and of how many.
type Tried<'a> = &'a (dyn Fn(usize, usize) + Sync);

fn locked(waiting: &Waiting) -> MutexGuard<'_, HashMap<String, Waiter>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for ClusterTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterTasks")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl ClusterTasks {
    pub(super) async fn open(cluster: &Cluster, name: &str) -> Result<ClusterTasks> {
        let link = &cluster.link;
        link.prepare().await?;
        let known = Shared::default();
        let mut tasks = JoinSet::new();
        attend(link, name, &known, &mut tasks).await?;
        // Nobody waits for what an earlier one has given out.
        link.forget_work(name).await;
        link.read_results_anew(name).await?;
        let (sender, arrived) = mpsc::channel(64);
        let waiting = Arc::new(Waiting::default());
        let say = cluster.say.clone();
        tasks.spawn(receive(link.clone(), name.to_owned(), sender, say));
        tasks.spawn(hand_over(cluster.clone(), arrived, waiting.clone()));
        let live = link.client.subscribe(subjects::live(name)).await;
        let live = live.map_err(server("subscribe"))?;
        tasks.spawn(hear(live, waiting.clone()));
        Ok(ClusterTasks {
            cluster: cluster.clone(),
            name: name.into(),
            opened: now(),
            count: AtomicU64::new(0),
            known,
            waiting,
            _tasks: tasks,
        })
    }

    /// A piece of work without anything to do.
    async fn work(
        &self,
        players: &[&PlayerSpec],
        isolation: IsolationMode,
        stop: &AtomicBool,
    ) -> Result<Work> {
        let class = Class::of(players, isolation, Require::Nothing, false);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        Ok(Work {
            tournament: self.name.clone(),
            unit: format!("{}-{count}", self.opened),
            class,
            ack_wait: self.cluster.ack_wait.as_millis() as u64,
            reference: reference(&self.cluster, class, &self.known, stop).await?,
            games: Vec::new(),
            check: None,
        })
    }

    async fn play_all(
        &self,
        games: &[GameSetup],
        stop: &AtomicBool,
    ) -> std::result::Result<Vec<GameRecord>, NoResult> {
        let Some(first) = games.first() else {
            return Ok(Vec::new());
        };
        let players: Vec<&PlayerSpec> = first.players.iter().collect();
        let work = self.work(&players, first.isolation, stop).await;
        let mut work = work.map_err(|error| no_result(stop, error))?;
        let mut fingerprints = Vec::new();
        for (number, setup) in games.iter().enumerate() {
            let (mut seats, mut made_of) = (Vec::new(), Vec::new());
            for (seat, player) in setup.players.iter().enumerate() {
                let sent = send_program(&self.cluster.link, player, seat).await;
                let (seat, fingerprint) = sent.map_err(|error| no_result(stop, error))?;
                seats.push(seat);
                made_of.push(fingerprint);
            }
            let id = format!("{}.{}.{number}", self.name, work.unit);
            let [one, other] = [seats.remove(0), seats.remove(0)];
            work.games.push(work_game(id, [0, 1], [one, other], setup));
            fingerprints.push(made_of);
        }
        let outcome = self.ask(work, &|_, _| (), stop).await?;
        let played = outcome
            .games
            .into_iter()
            .zip(games.iter().zip(fingerprints));
        Ok(played
            .map(|(game, (setup, made_of))| {
                let mut record = game.record;
                record.players.clone_from(&setup.players);
                for (seat, fingerprint) in made_of.into_iter().enumerate() {
                    record.programs[seat] = fingerprint;
                }
                record
            })
            .collect())
    }

    async fn grade_one(
        &self,
        grading: Grading,
        tried: Tried<'_>,
        stop: &AtomicBool,
    ) -> std::result::Result<CheckReport, NoResult> {
        let player = PlayerSpec {
            folder: grading.candidate.folder,
            read: grading.candidate.read,
            ..PlayerSpec::program(Kind::Argv, grading.candidate.command)
        };
        let work = self.work(&[&player], IsolationMode::Auto, stop).await;
        let mut work = work.map_err(|error| no_result(stop, error))?;
        let sent = send_program(&self.cluster.link, &player, 0).await;
        let (seat, _) = sent.map_err(|error| no_result(stop, error))?;
        work.check = Some(WorkCheck {
            subject: grading.subject,
            seed: grading.seed,
            generated: grading.generated,
            limits: grading.limits,
            player: seat,
        });
        let outcome = self.ask(work, tried, stop).await?;
        let report = outcome.report.map(CheckReport::from);
        report.ok_or_else(|| NoResult::Machine("a worker has sent no report".into()))
    }

    /// Gives work out and waits for what comes of it.
    async fn ask(
        &self,
        work: Work,
        tried: Tried<'_>,
        stop: &AtomicBool,
    ) -> std::result::Result<Outcome, NoResult> {
        let (outcome, mut result) = oneshot::channel();
        let (sender, mut cases) = watch::channel((0, 0));
        let _asked = Asked::new(
            self,
            Waiter {
                work: work.clone(),
                outcome,
                tried: sender,
            },
        );
        let (mut given, mut looked, mut said) = (None::<Instant>, Instant::now(), false);
        let begun = Instant::now();
        loop {
            if stop.load(Ordering::Relaxed) {
                self.withdraw(&work).await;
                return Err(NoResult::Stopped);
            }
            if given.is_none_or(|at| at.elapsed() > STALL) {
                given = self.give_out(&work).await.is_ok().then(Instant::now);
            }
            let waited = tokio::time::timeout(LOOK, &mut result).await;
            if cases.has_changed().unwrap_or(true) {
                let (so_many, all) = *cases.borrow_and_update();
                if all > 0 {
                    tried(so_many, all);
                }
            }
            match waited {
                Ok(Ok(outcome)) => return Ok(outcome),
                Ok(Err(_)) => return Err(NoResult::Machine("the site is being closed".into())),
                Err(_) => {}
            }
            if looked.elapsed() > ASIDE {
                looked = Instant::now();
                if let Some(known) = self.put_aside(&work).await {
                    return Err(NoResult::Machine(known));
                }
                if begun.elapsed() > QUIET && !said {
                    let why = why_nothing_comes(&lock(&self.known));
                    said = why.is_some();
                    why.inspect(|why| (self.cluster.say)(why));
                }
            }
        }
    }

    /// Gives work out, unless it lies there already.
    async fn give_out(&self, work: &Work) -> Result<()> {
        let link = &self.cluster.link;
        link.prepare_class(work.class, self.cluster.ack_wait)
            .await?;
        let subject = subjects::work(work.class, &work.tournament, &work.unit);
        link.publish_once(subject, wire::pack(work), None).await
    }

    /// Nobody needs it any more.
    async fn withdraw(&self, work: &Work) {
        let link = &self.cluster.link;
        link.forget_work(&work.tournament).await;
        let stop = subjects::stop(&work.tournament);
        let _ = link.client.publish(stop, Vec::new().into()).await;
        let _ = link.client.flush().await;
    }

    /// What is known of work that was put aside; whoever asked decides whether to ask again.
    async fn put_aside(&self, work: &Work) -> Option<String> {
        let link = &self.cluster.link;
        let subject = subjects::quarantine(&work.tournament, &work.unit);
        let last = link.last(streams::QUARANTINE, &subject).await;
        let bytes = last.ok().flatten()?;
        let _ = release(link, &work.tournament, &work.unit).await;
        match wire::unpack::<Quarantined>("quarantine", &bytes) {
            Ok(aside) => Some(aside.known()),
            Err(error) => Some(error.to_string()),
        }
    }
}

/// Work that is waited for, as long as this lives.
struct Asked<'a> {
    tasks: &'a ClusterTasks,
    unit: String,
}

impl<'a> Asked<'a> {
    fn new(tasks: &'a ClusterTasks, waiter: Waiter) -> Asked<'a> {
        let unit = waiter.work.unit.clone();
        locked(&tasks.waiting).insert(unit.clone(), waiter);
        lock(&tasks.known).open.insert(unit.clone());
        Asked { tasks, unit }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        locked(&self.tasks.waiting).remove(&self.unit);
        lock(&self.tasks.known).open.remove(&self.unit);
    }
}

fn no_result(stop: &AtomicBool, error: ClusterError) -> NoResult {
    match stop.load(Ordering::Relaxed) {
        true => NoResult::Stopped,
        false => NoResult::Machine(error.to_string()),
    }
}

/// Whether an outcome is what was asked for.
fn fits(work: &Work, outcome: &Outcome) -> bool {
    let asked = work.games.iter().map(|game| (&game.id, game.bundles()));
    let played = outcome
        .games
        .iter()
        .map(|game| (&game.id, game.bundles.clone()));
    asked.eq(played) && work.check.is_some() == outcome.report.is_some()
}

/// Tells those who wait how far a program is.
async fn hear(mut live: async_nats::Subscriber, waiting: Arc<Waiting>) {
    while let Some(message) = live.next().await {
        let Ok(News::Cases(news)) = wire::unpack("news", &message.payload) else {
            continue;
        };
        let unit = news.id.split_once('.').map_or("", |(_, unit)| unit);
        if let Some(waiter) = locked(&waiting).get(unit) {
            waiter.tried.send_replace((news.tried, news.cases));
        }
    }
}

/// Gives results to those who wait for them.
async fn hand_over(cluster: Cluster, mut arrived: mpsc::Receiver<Arrived>, waiting: Arc<Waiting>) {
    while let Some((outcome, object, message)) = arrived.recv().await {
        let asked = {
            let mut waiting = locked(&waiting);
            match waiting.get(&outcome.unit) {
                Some(waiter) if fits(&waiter.work, &outcome) => waiting.remove(&outcome.unit),
                _ => None,
            }
        };
        let (name, unit) = (outcome.tournament.clone(), outcome.unit.clone());
        if let Some(waiter) = asked {
            let _ = waiter.outcome.send(outcome);
        }
        let _ = message.ack().await;
        if let Some(object) = object {
            objects::remove(&cluster.link, streams::RECORDS, &object).await;
        }
        let accepted = subjects::accepted(&name);
        let bytes = wire::pack(&[unit]);
        let _ = cluster.link.client.publish(accepted, bytes.into()).await;
    }
}

impl TaskRunner for ClusterTasks {
    fn play(
        &self,
        games: Vec<GameSetup>,
        stop: Arc<AtomicBool>,
    ) -> Pending<'_, std::result::Result<Vec<GameRecord>, NoResult>> {
        Box::pin(async move { self.play_all(&games, &stop).await })
    }

    fn grade<'a>(
        &'a self,
        grading: Grading,
        tried: Tried<'a>,
        stop: Arc<AtomicBool>,
    ) -> Pending<'a, std::result::Result<CheckReport, NoResult>> {
        Box::pin(async move { self.grade_one(grading, tried, &stop).await })
    }
}
