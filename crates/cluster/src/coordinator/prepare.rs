//! What is settled before the first game: who coordinates, what players are made of, which speed
//! counts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::RequestErrorKind;
use referee::{GameSetup, PlayerSpec};
use tokio::task::JoinSet;

use super::listen::{Known, Shared, answer, lock, meet};
use super::{Cluster, LOOK, own_name};
use crate::bundle;
use crate::error::{ClusterError, Result, server};
use crate::link::Link;
use crate::objects;
use crate::protocol::{Answer, Class, Question, Run, Seat, Timing, WorkGame, streams, subjects};
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
/// them, one can. Returns its number, for [`Link::end`].
async fn begin(link: &Link, tournament: &str, before: u64) -> Result<u64> {
    let subject = subjects::coordinator(tournament);
    let run = wire::pack(&Run::By(own_name()));
    let begun = link.publish_after(subject, run, before).await?;
    begun.ok_or_else(|| {
        ClusterError::Other(format!(
            "{tournament} is being run by another coordinator that has begun at the same moment"
        ))
    })
}

/// Becomes the only coordinator with this name: answers whoever asks, and hears of workers, by
/// tasks that are added. Returns its number, for [`Link::end`].
pub(super) async fn attend(
    link: &Link,
    name: &str,
    known: &Shared,
    tasks: &mut JoinSet<()>,
) -> Result<u64> {
    let before = nobody_else(link, name).await?;
    let client = &link.client;
    let subscribe =
        |subject: String| async { client.subscribe(subject).await.map_err(server("subscribe")) };
    let asked = subscribe(subjects::ask(name)).await?;
    tasks.spawn(answer(asked, link.clone(), known.clone()));
    let begun = begin(link, name, before).await?;
    let presence = subscribe(subjects::PRESENCE.into()).await?;
    let inbox = client.new_inbox();
    let greetings = subscribe(inbox.clone()).await?;
    let heard = futures_util::stream::select(presence, greetings);
    tasks.spawn(meet(heard, link.clone(), known.clone()));
    let hello = client.publish_with_reply(subjects::HELLO, inbox, Vec::new().into());
    hello.await.map_err(server("greet the workers"))?;
    Ok(begun)
}

/// Puts a program into the object store; returns the player as workers know it, and the
/// fingerprint of the program.
pub(super) async fn send_program(
    link: &Link,
    player: &PlayerSpec,
    number: usize,
) -> Result<(Seat, Option<String>)> {
    let player = player.clone();
    let packed = tokio::task::spawn_blocking(move || (bundle::pack(&player), player.fingerprint()));
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
    Ok((Seat { spec, bundle }, fingerprint))
}

/// A game as workers know it.
pub(super) fn work_game(
    id: String,
    numbers: [usize; 2],
    players: [Seat; 2],
    setup: &GameSetup,
) -> WorkGame {
    WorkGame {
        id,
        numbers,
        players,
        game: setup.start.game(),
        start: setup.start.to_string(),
        limits: setup.limits,
        penalties: setup.penalties,
        seed: setup.seed,
        longest: setup.longest,
        isolation: setup.isolation,
    }
}

/// The speed that counts: as it was decided once, or else that of the workers that are there.
pub(super) async fn reference(
    cluster: &Cluster,
    class: Class,
    known: &Shared,
    stop: &AtomicBool,
) -> Result<f64> {
    let link = &cluster.link;
    if let Some(seconds) = link.reference().await? {
        return Ok(seconds);
    }
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
