//! What is known of a cluster: its workers, the queues, the quarantine.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;

use crate::coordinator::release;
use crate::error::{Result, server};
use crate::link::Link;
use crate::protocol::{Class, Presence, Quarantined, VERSION, streams, subjects};
use crate::speed;
use crate::stream::queue_name;
use crate::wire;

/// How long workers may take to say that they are there.
const ANSWERS: Duration = Duration::from_millis(700);

/// The state of a cluster.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The version of the server.
    pub server: String,
    /// The workers that are there.
    pub workers: Vec<Presence>,
    /// How long the fixed work takes on a machine of the right speed, in seconds.
    pub reference: Option<f64>,
    /// The queues of work.
    pub queues: Vec<Queue>,
    /// Results that no coordinator has taken yet.
    pub results: u64,
    /// What is put aside.
    pub quarantine: Vec<Quarantined>,
}

/// A queue of work.
#[derive(Clone, Debug, Serialize)]
pub struct Queue {
    /// For what kind of worker.
    pub class: Class,
    /// Pairs that nobody plays yet.
    pub waiting: u64,
    /// Pairs that are being played.
    pub playing: usize,
    /// How many of them were given out before.
    pub again: usize,
}

impl Status {
    /// Asks the server and the workers.
    pub async fn ask(link: &Link) -> Result<Status> {
        link.answered(Status::ask_all(link)).await
    }

    async fn ask_all(link: &Link) -> Result<Status> {
        let workers = workers(link).await?;
        let mut queues = Vec::new();
        for class in Class::all() {
            let work = link.jetstream.get_stream_no_info(streams::WORK).await;
            let work = work.map_err(server("find a stream"))?;
            let Ok(info) = work.consumer_info(queue_name(class)).await else {
                continue;
            };
            queues.push(Queue {
                class,
                waiting: info.num_pending,
                playing: info.num_ack_pending,
                again: info.num_redelivered,
            });
        }
        let results = match link.stream(streams::RESULTS).await {
            Ok(stream) => stream.cached_info().state.messages,
            Err(_) => 0,
        };
        Ok(Status {
            server: link.client.server_info().version,
            workers,
            reference: link.reference().await.unwrap_or(None),
            queues,
            results,
            quarantine: quarantine(link).await?,
        })
    }

    /// The speeds of a worker's cores, where 1 is the right one.
    #[must_use]
    pub fn speeds(&self, worker: &Presence) -> Vec<f64> {
        let reference = self.reference;
        let all = worker.calibration.iter();
        reference.map_or_else(Vec::new, |reference| {
            all.map(|seconds| speed::speed(*seconds, reference))
                .collect()
        })
    }

    /// How many games are being played.
    #[must_use]
    pub fn playing(&self) -> usize {
        self.workers.iter().map(|worker| worker.busy).sum()
    }
}

/// The workers that answer.
async fn workers(link: &Link) -> Result<Vec<Presence>> {
    let inbox = link.client.new_inbox();
    let mut answers = link
        .client
        .subscribe(inbox.clone())
        .await
        .map_err(server("subscribe"))?;
    let hello = link
        .client
        .publish_with_reply(subjects::HELLO, inbox, Vec::new().into());
    hello.await.map_err(server("greet the workers"))?;
    link.client
        .flush()
        .await
        .map_err(server("greet the workers"))?;
    let mut workers = BTreeMap::new();
    let until = tokio::time::Instant::now() + ANSWERS;
    while let Ok(Some(message)) = tokio::time::timeout_at(until, answers.next()).await {
        if let Ok(worker) = wire::unpack::<Presence>("a worker", &message.payload) {
            workers.insert(worker.worker.clone(), worker);
        }
    }
    Ok(workers.into_values().collect())
}

/// What is put aside.
async fn quarantine(link: &Link) -> Result<Vec<Quarantined>> {
    let Ok(stream) = link.stream(streams::QUARANTINE).await else {
        return Ok(Vec::new());
    };
    let info = stream
        .info_with_subjects(format!("ludex.v{VERSION}.quarantine.>"))
        .await;
    let mut subjects = info.map_err(server("read the quarantine"))?;
    let mut found = Vec::new();
    while let Some(Ok((subject, _))) = subjects.next().await {
        if let Some(bytes) = link.last(streams::QUARANTINE, &subject).await? {
            found.push(wire::unpack("quarantine", &bytes)?);
        }
    }
    found.sort_by(|a: &Quarantined, b| a.work.unit.cmp(&b.work.unit));
    Ok(found)
}

/// Gives out again what is put aside: all of it, or what begins like this (a tournament, or a
/// tournament and a pair with a dot between them). Returns what it was.
pub async fn retry(link: &Link, start: Option<&str>) -> Result<Vec<String>> {
    link.answered(retry_all(link, start)).await
}

async fn retry_all(link: &Link, start: Option<&str>) -> Result<Vec<String>> {
    let mut released = Vec::new();
    for aside in quarantine(link).await? {
        let work = &aside.work;
        let name = format!("{}.{}", work.tournament, work.unit);
        if start.is_some_and(|start| !name.starts_with(start)) {
            continue;
        }
        // In this order it is always somewhere.
        let subject = subjects::work(work.class, &work.tournament, &work.unit);
        link.publish_once(subject, wire::pack(work), None).await?;
        release(link, &work.tournament, &work.unit).await?;
        released.push(name);
    }
    Ok(released)
}

/// Decides anew which speed counts: so many seconds, or that of the workers that are there.
/// Nothing if there are none.
pub async fn set_reference(link: &Link, seconds: Option<f64>) -> Result<Option<f64>> {
    link.answered(link.prepare()).await?;
    let seconds = match seconds {
        Some(seconds) => Some(seconds),
        None => {
            let workers = workers(link).await?;
            let all = workers.iter().flat_map(|worker| worker.calibration.clone());
            speed::median(all.filter(|seconds| seconds.is_finite()).collect())
        }
    };
    if let Some(seconds) = seconds {
        let subject = subjects::reference();
        link.publish(subject, wire::pack(&seconds)).await?;
    }
    Ok(seconds)
}
