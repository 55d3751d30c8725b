//! Workers that play nothing: what everything but the games costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use referee::{Ending, GameRecord, Machine, Score};

use crate::error::Result;
use crate::link::{Address, Link};
use crate::protocol::{Class, Outcome, PlayedGame, Timing, Try, Walls, Work, WorkGame, subjects};
use crate::wire;
use crate::worker::{now, send_result};

/// So many simulated workers connect at once: a server gives up on whoever waits too long for its
/// turn.
const CONNECTING: usize = 32;

/// Connects so many workers, each by a connection of its own.
pub async fn connect(address: &Address, workers: usize) -> Result<Vec<(String, Link)>> {
    let names = (0..workers).map(|number| format!("simulated-{number}"));
    let links = names.map(|name| async move {
        let link = Link::connect(address, &name).await?;
        Ok((name, link))
    });
    futures_util::stream::iter(links)
        .buffer_unordered(CONNECTING)
        .try_collect()
        .await
}

/// A worker that takes pairs of bots and sends empty games until it is told to stop. Adds what it
/// has done to a counter.
pub async fn simulate(
    link: Link,
    name: String,
    stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
) -> Result<()> {
    let class = Class {
        walls: Walls::None,
        timing: Timing::Free,
    };
    while !stop.load(Ordering::Relaxed) {
        let Some(queue) = link.class(class).await else {
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        };
        while !stop.load(Ordering::Relaxed) {
            let batch = queue
                .batch()
                .max_messages(1)
                .expires(Duration::from_secs(1));
            let Ok(mut batch) = batch.messages().await else {
                break;
            };
            while let Some(Ok(message)) = batch.next().await {
                let work: Work = wire::unpack("work", &message.payload)?;
                let tries = [Try {
                    worker: name.clone(),
                    at: now(),
                    trouble: None,
                }];
                let subject = subjects::tries(&work.tournament, &work.unit);
                let _ = link
                    .jetstream
                    .publish(subject, wire::pack(&tries).into())
                    .await;
                let games = work.games.iter().map(|game| empty(game, &name));
                let outcome = Outcome {
                    games: games.collect(),
                    tournament: work.tournament,
                    unit: work.unit,
                    report: None,
                };
                let key = (outcome.tournament.clone(), outcome.unit.clone());
                if send_result(&link, &key, wire::pack(&outcome)).await.is_ok() {
                    let _ = message.double_ack().await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
    Ok(())
}

/// A game without a move.
fn empty(game: &WorkGame, worker: &str) -> PlayedGame {
    let record = GameRecord {
        version: 1,
        game: game.game,
        start: game.start.clone(),
        players: game.players.clone().map(|seat| seat.spec),
        limits: [game.limits; 2],
        penalties: game.penalties,
        seed: game.seed,
        isolation: None,
        programs: [None, None],
        machine: Some(Machine {
            worker: worker.into(),
            speed: 1.0,
            scale: None,
        }),
        moves: Vec::new(),
        end: game.start.clone(),
        score: Score::Draw,
        ending: Ending::TooLong { plies: 0 },
    };
    PlayedGame {
        id: game.id.clone(),
        numbers: game.numbers,
        bundles: game.bundles(),
        record,
    }
}
