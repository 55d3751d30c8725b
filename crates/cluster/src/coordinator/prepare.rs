//! What is settled before the first game: who coordinates, what players are made of, which speed
//! counts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use referee::PlayerSpec;
use tournament::Config;

use super::listen::{Shared, lock};
use super::{Cluster, LOOK};
use crate::bundle;
use crate::error::{ClusterError, Result};
use crate::link::Link;
use crate::objects;
use crate::protocol::{Answer, Class, Presence, Question, Seat, Timing, streams, subjects};
use crate::speed;
use crate::wire;

/// Fails if another coordinator runs this tournament.
pub(super) async fn nobody_else(link: &Link, tournament: &str) -> Result<()> {
    let request = async_nats::Request::new()
        .payload(wire::pack(&Question::Who).into())
        .timeout(Some(Duration::from_secs(2)));
    let subject = subjects::ask(tournament);
    let Ok(message) = link.client.send_request(subject, request).await else {
        return Ok(());
    };
    match wire::unpack("an answer", &message.payload) {
        Ok(Answer::Here(who)) => Err(ClusterError::Other(format!(
            "{tournament} is being run by {}",
            referee::printable(&who)
        ))),
        _ => Ok(()),
    }
}

/// Puts all programs into the object store; returns the players as workers know them, and the
/// fingerprints of the programs.
pub(super) async fn send_programs(
    link: &Link,
    config: &Config,
) -> Result<(Vec<Seat>, Vec<Option<String>>)> {
    let (mut seats, mut fingerprints) = (Vec::new(), Vec::new());
    for (number, player) in config.players.iter().enumerate() {
        let player = player.clone();
        let packed =
            tokio::task::spawn_blocking(move || (bundle::pack(&player), player.fingerprint()));
        let (packed, fingerprint) = packed
            .await
            .map_err(|error| ClusterError::Other(error.to_string()))?;
        let (mut spec, archive) = packed?;
        // Who somebody is, is nobody's business there.
        spec.name = format!("player-{number}");
        let bundle = match archive {
            Some(archive) => Some(objects::put(link, streams::PROGRAMS, &archive).await?),
            None => None,
        };
        seats.push(Seat { spec, bundle });
        fingerprints.push(fingerprint);
    }
    Ok((seats, fingerprints))
}

/// The speed that counts: as it was decided once, or else that of the workers that are there.
pub(super) async fn reference(
    cluster: &Cluster,
    config: &Config,
    known: &Shared,
    stop: &AtomicBool,
) -> Result<f64> {
    let link = &cluster.link;
    if let Some(seconds) = link.reference().await? {
        return Ok(seconds);
    }
    let players: Vec<&PlayerSpec> = config.players.iter().collect();
    let class = Class::of(&players, config.isolation, config.require, false);
    if class.timing == Timing::Free {
        return Ok(0.0);
    }
    let mut said = false;
    loop {
        let seconds = median_of(&lock(known).workers);
        if let Some(seconds) = seconds {
            // Others that are there may have been slower to say so.
            tokio::time::sleep(Duration::from_millis(500)).await;
            let seconds = median_of(&lock(known).workers).unwrap_or(seconds);
            let bytes = wire::pack(&seconds);
            link.publish_once(subjects::reference(), bytes, None)
                .await?;
            return Ok(link.reference().await?.unwrap_or(seconds));
        }
        if stop.load(Ordering::Relaxed) {
            return Err(ClusterError::Other("stopped before a worker came".into()));
        }
        if !std::mem::replace(&mut said, true) {
            (cluster.say)("no worker is there yet: start some by ludex worker --nats URL");
        }
        tokio::time::sleep(LOOK).await;
    }
}

fn median_of(workers: &BTreeMap<String, (Presence, Instant)>) -> Option<f64> {
    let all = workers
        .values()
        .flat_map(|(presence, _)| presence.calibration.clone());
    speed::median(all.filter(|seconds| seconds.is_finite()).collect())
}
