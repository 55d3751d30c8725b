//! What is settled before the first game: who coordinates, what players are made of, which speed
//! counts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::RequestErrorKind;
use referee::PlayerSpec;
use tournament::Config;

use super::listen::{Known, Shared, lock};
use super::{Cluster, LOOK, own_name};
use crate::bundle;
use crate::error::{ClusterError, Result, server};
use crate::link::Link;
use crate::objects;
use crate::protocol::{Answer, Class, Question, Seat, Timing, streams, subjects};
use crate::speed;
use crate::wire;

/// How often somebody is asked who does not answer: whoever was killed is gone after a moment.
const ASKED: usize = 3;

/// Fails if another coordinator runs this tournament. Returns the number of the last one that has
/// begun to, for [`begin`].
pub(super) async fn nobody_else(link: &Link, tournament: &str) -> Result<u64> {
    let is_run_by = |who: &str| {
        Err(ClusterError::Other(format!(
            "{tournament} is being run by {}",
            referee::printable(who)
        )))
    };
    let subject = subjects::coordinator(tournament);
    let before = link.sequence(streams::STATE, &subject).await?;
    for _ in 0..ASKED {
        let request = async_nats::Request::new()
            .payload(wire::pack(&Question::Who).into())
            .timeout(Some(Duration::from_secs(2)));
        let subject = subjects::ask(tournament);
        match link.client.send_request(subject, request).await {
            Ok(message) => match wire::unpack("an answer", &message.payload) {
                Ok(Answer::Here(who)) => return is_run_by(&who),
                _ => return is_run_by("a coordinator of another version"),
            },
            Err(error) if error.kind() == RequestErrorKind::NoResponders => return Ok(before),
            Err(error) if error.kind() == RequestErrorKind::TimedOut => {}
            Err(error) => return Err(server("ask for coordinators")(error)),
        }
    }
    is_run_by(
        "a coordinator that does not answer (when the server notices that it is gone, after some minutes, another can)",
    )
}

/// Begins to run a tournament, already answering whoever asks: of all that saw the same one before
/// them, one can.
pub(super) async fn begin(link: &Link, tournament: &str, before: u64) -> Result<()> {
    let subject = subjects::coordinator(tournament);
    match link
        .publish_after(subject, wire::pack(&own_name()), before)
        .await?
    {
        true => Ok(()),
        false => Err(ClusterError::Other(format!(
            "{tournament} is being run by another coordinator that has begun at the same moment"
        ))),
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
        let seconds = median_of(&lock(known));
        if let Some(seconds) = seconds {
            // Others that are there may have been slower to say so.
            tokio::time::sleep(Duration::from_millis(500)).await;
            let seconds = median_of(&lock(known)).unwrap_or(seconds);
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

fn median_of(known: &Known) -> Option<f64> {
    let all = known
        .usable()
        .flat_map(|presence| presence.calibration.clone());
    speed::median(all.filter(|seconds| seconds.is_finite()).collect())
}
