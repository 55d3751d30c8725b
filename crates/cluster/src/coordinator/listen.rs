//! Who is there and what happens: what a coordinator hears beside results.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tournament::schedule::Fixture;
use tournament::{Event, Observer};

use super::own_name;
use crate::link::Link;
use crate::protocol::{Answer, News, Presence, Question, VERSION, subjects};
use crate::wire;

/// A worker that was silent for so long is not counted.
const GONE: Duration = Duration::from_secs(10);

/// What is given out, and who is there: what listeners share with the coordinator.
#[derive(Default)]
pub(super) struct Known {
    /// The names of work of which no result is kept yet.
    pub(super) open: HashSet<String>,
    /// The games of it.
    pub(super) fixtures: HashMap<String, Fixture>,
    pub(super) workers: BTreeMap<String, (Presence, Instant)>,
}

impl Known {
    /// The workers that were heard of lately, those of other versions too.
    pub(super) fn live(&self) -> impl Iterator<Item = &Presence> {
        let live = self.workers.values().filter(|(_, at)| at.elapsed() < GONE);
        live.map(|(presence, _)| presence)
    }

    /// The workers that can be worked with.
    pub(super) fn usable(&self) -> impl Iterator<Item = &Presence> {
        self.live().filter(|presence| presence.protocol == VERSION)
    }

    /// How many games can be played at once.
    pub(super) fn slots(&self) -> usize {
        self.usable().map(|presence| presence.slots).sum()
    }
}

pub(super) type Shared = Arc<Mutex<Known>>;

pub(super) fn lock(known: &Shared) -> std::sync::MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells watchers what happens in games.
pub(super) async fn forward(
    mut live: async_nats::Subscriber,
    known: Shared,
    observer: Arc<dyn Observer>,
) {
    let mut started = HashSet::new();
    while let Some(message) = live.next().await {
        let Ok(News::Turns(news)) = wire::unpack("news", &message.payload) else {
            continue;
        };
        let Some(fixture) = lock(&known).fixtures.get(&news.id).copied() else {
            continue;
        };
        if let Some(start) = news.start {
            started.insert(news.id.clone());
            observer.event(&Event::GameStarted {
                id: news.id.clone(),
                fixture,
                start,
            });
        }
        if !started.contains(&news.id) {
            continue;
        }
        for record in news.turns {
            let (id, record) = (news.id.clone(), Box::new(record));
            observer.event(&Event::Turn { id, record });
        }
    }
}

/// Answers questions about a tournament.
pub(super) async fn answer(mut asked: async_nats::Subscriber, link: Link, known: Shared) {
    while let Some(message) = asked.next().await {
        let question = wire::unpack::<Question>("a question", &message.payload);
        let (Ok(question), Some(reply)) = (question, message.reply) else {
            continue;
        };
        let answer = match question {
            Question::Who => Answer::Here(own_name()),
            Question::Wanted(unit) => Answer::Wanted(lock(&known).open.contains(&unit)),
        };
        let _ = link.client.publish(reply, wire::pack(&answer).into()).await;
    }
}

/// Takes down which workers are there, and tells those that speak another version.
pub(super) async fn meet(
    mut heard: impl futures_util::Stream<Item = async_nats::Message> + Unpin,
    link: Link,
    known: Shared,
) {
    while let Some(message) = heard.next().await {
        let Ok(presence) = wire::unpack::<Presence>("a worker", &message.payload) else {
            continue;
        };
        let (worker, protocol) = (presence.worker.clone(), presence.protocol);
        let heard = (presence, Instant::now());
        lock(&known).workers.insert(worker.clone(), heard);
        if protocol == VERSION {
            continue;
        }
        let text = format!(
            "this worker speaks version {protocol} of the protocol, the coordinator version \
             {VERSION} (ludex {}): it waits until both are of the same version",
            env!("CARGO_PKG_VERSION")
        );
        let subject = subjects::tell(&worker);
        let _ = link.client.publish(subject, wire::pack(&text).into()).await;
    }
}
