//! Which work a core takes, and from where.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull};

use futures_util::StreamExt;

use super::{LOOK, Measured, Shared, lock};
use crate::protocol::{Class, Timing, Walls};
use crate::slot::Slot;
use crate::speed;

/// How long a worker with nothing to do waits for one kind of work before it looks at the others.
const IDLE: Duration = Duration::from_secs(2);
/// How long a core is left alone that has not the right speed.
const REST: Duration = Duration::from_secs(5);
/// After this time without a game a core is measured again.
const STALE: Duration = Duration::from_secs(60);

/// The queues of classes that were found.
#[derive(Default)]
pub(super) struct Queues {
    found: BTreeMap<Class, PullConsumer>,
    looked: Option<Instant>,
}

impl Shared {
    /// Measures a core again that has not the right speed, or was not measured for long.
    pub(super) async fn freshen(&self, number: usize, slot: &Slot) {
        let Measured {
            seconds,
            at,
            has_core,
        } = lock(&self.measured)[number];
        let reference = *lock(&self.reference);
        let is_right =
            reference.is_none_or(|reference| speed::is_right(speed::speed(seconds, reference)));
        if at.elapsed() > if is_right { STALE } else { REST } {
            let seconds = slot.calibrate().await;
            lock(&self.measured)[number] = Measured::new(seconds, has_core);
        }
    }

    /// Why this core does no work of a class, if it does not.
    fn refusal(&self, class: Class, number: usize) -> Option<String> {
        if let Some(missing) = class.unmet(&self.walls) {
            return Some(format!("no work that needs walls ({class}): {missing}"));
        }
        if class.walls != Walls::None
            && let Some(why) = lock(&self.unwritable).clone()
        {
            return Some(format!(
                "no programs ({class}): nothing can be written: {why}"
            ));
        }
        if class.timing == Timing::Free {
            return None;
        }
        let known = lock(&self.measured)[number];
        if !known.has_core {
            return Some("no timed games: other workers have all cores of this machine".into());
        }
        let reference = (*lock(&self.reference))?;
        let speed = speed::speed(known.seconds, reference);
        let percent = 100.0 * speed;
        let right = match class.timing {
            Timing::Scaled => speed::scale(speed).is_some(),
            _ => speed::is_right(speed),
        };
        (!right).then(|| {
            format!("no timed games ({class}): core {number} runs at {percent:.0} % of the speed")
        })
    }

    /// Looks for queues that were not there, and for the speed that counts.
    async fn look(&self, queues: &mut Queues) {
        if let Ok(reference) = self.link.reference().await {
            *lock(&self.reference) = reference;
        }
        for class in Class::all() {
            if !queues.found.contains_key(&class)
                && let Some(queue) = self.link.class(class).await
            {
                queues.found.insert(class, queue);
            }
        }
    }

    /// The queues that this core takes work from.
    pub(super) async fn queues(&self, number: usize) -> Vec<(Class, PullConsumer)> {
        let mut queues = self.queues.lock().await;
        if self.link.is_connected() && queues.looked.is_none_or(|at| at.elapsed() > LOOK) {
            // A server that dies meanwhile never answers.
            let _ = tokio::time::timeout(LOOK, self.look(&mut queues)).await;
            queues.looked = Some(Instant::now());
        }
        let mut refusals = Vec::new();
        let mut able = Vec::new();
        for (class, queue) in &queues.found {
            match self.refusal(*class, number) {
                Some(why) => refusals.push(why),
                None => able.push((*class, queue.clone())),
            }
        }
        drop(queues);
        refusals.dedup();
        self.trouble(
            "class",
            number,
            (!refusals.is_empty()).then(|| refusals.join("; ")),
        );
        able
    }

    /// One piece of work from one of these queues, from that of the last one first.
    pub(super) async fn pull(
        &self,
        queues: &[(Class, PullConsumer)],
        last: &mut Option<Class>,
    ) -> Option<Message> {
        let start = queues.iter().position(|(class, _)| Some(*class) == *last);
        let start = start.unwrap_or(0);
        for offset in 0..queues.len() {
            let (class, queue) = &queues[(start + offset) % queues.len()];
            let batch = queue.fetch().max_messages(1).messages().await;
            if let Some(message) = self.first(*class, batch).await {
                *last = Some(*class);
                return Some(message);
            }
        }
        // Then it waits at one after the other: at none so long that work lies at another.
        let wait = (IDLE / queues.len().max(1) as u32).max(Duration::from_millis(250));
        for offset in 0..queues.len() {
            let (class, queue) = &queues[(start + offset) % queues.len()];
            let batch = queue.batch().max_messages(1).expires(wait).messages().await;
            if let Some(message) = self.first(*class, batch).await {
                *last = Some(*class);
                return Some(message);
            }
        }
        None
    }

    async fn first<E: Display>(
        &self,
        class: Class,
        batch: std::result::Result<pull::Batch, E>,
    ) -> Option<Message> {
        let message = match batch {
            // The server may never say that there is nothing, if it dies meanwhile.
            Ok(mut batch) => match tokio::time::timeout(2 * IDLE, batch.next()).await {
                Ok(None) => return None,
                Ok(Some(Ok(message))) => Some(message),
                Ok(Some(Err(_))) | Err(_) => None,
            },
            Err(_) => None,
        };
        if message.is_none() {
            // The queue may be gone, and there again later.
            self.queues.lock().await.found.remove(&class);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        message
    }
}
