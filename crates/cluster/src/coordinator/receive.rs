//! Results as they come from the server.

use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use super::Say;
use crate::error::{ClusterError, Result, server};
use crate::link::Link;
use crate::objects;
use crate::protocol::{OBJECT_HEADER, Outcome, streams, subjects};
use crate::wire;

/// Whoever has read so long has got through to the server.
const QUIET: Duration = Duration::from_secs(10);

/// A result, where it lies in the object store, and the message that it came in.
pub(super) type Arrived = (Outcome, Option<String>, Message);

/// Reads results until it is aborted. Says when the server is away.
pub(super) async fn receive(
    link: Link,
    tournament: String,
    arrived: mpsc::Sender<Arrived>,
    say: Say,
) {
    let mut said = false;
    while !arrived.is_closed() {
        let begun = Instant::now();
        let Err(error) = receive_some(&link, &tournament, &arrived).await else {
            continue;
        };
        // The server is away, has forgotten the consumer, or was too busy to answer.
        if !said {
            say(&format!("results are read again: {error}"));
        }
        said = begun.elapsed() < QUIET;
        tokio::time::sleep(Duration::from_millis(200)).await;
        // What was on its way is sent again at once, not when the server has missed an answer.
        let _ = link.read_results_anew(&tournament).await;
    }
}

async fn receive_some(
    link: &Link,
    tournament: &str,
    arrived: &mpsc::Sender<Arrived>,
) -> Result<()> {
    let results = link.results(tournament).await?;
    let messages = results
        .stream()
        .max_messages_per_batch(200)
        .heartbeat(Duration::from_secs(2))
        .expires(Duration::from_secs(5))
        .messages()
        .await;
    let mut messages = messages.map_err(server("read results"))?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(server("read results"))?;
        match open(link, &message).await {
            Ok(Some((outcome, object))) => {
                if arrived.send((outcome, object, message)).await.is_err() {
                    return Ok(());
                }
            }
            // It will never be read.
            Ok(None) | Err(ClusterError::Message { .. } | ClusterError::Hash { .. }) => {
                let _ = message.ack().await;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A result from a message, or from where the message says that it is; nothing if it is gone.
async fn open(link: &Link, message: &Message) -> Result<Option<(Outcome, Option<String>)>> {
    let object = message
        .headers
        .as_ref()
        .and_then(|headers| headers.get(OBJECT_HEADER))
        .map(|name| name.as_str().to_owned());
    let outcome: Outcome = match &object {
        None => wire::unpack("a result", &message.payload)?,
        Some(name) => match objects::get(link, streams::RECORDS, name).await? {
            Some(bytes) => wire::unpack("a result", &bytes)?,
            None => return Ok(None),
        },
    };
    // A worker can speak for the subject that it published to, and no other.
    let subject = subjects::result(&outcome.tournament, &outcome.unit);
    let prefix = format!("{}.", outcome.tournament);
    let fits = outcome
        .games
        .iter()
        .all(|game| game.id.starts_with(&prefix));
    match subject == message.subject.as_str() && fits {
        true => Ok(Some((outcome, object))),
        false => Err(ClusterError::Message {
            what: "a result".into(),
            why: format!("it is called {}", message.subject),
        }),
    }
}
