//! What moves are worth: searches that go deeper while somebody looks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::{AnyPosition, Scale};
use rules::WIN;
use search::Limits;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::thinker::Stock;
use crate::Site;
use crate::pool::{Interest, WeakInterest};

/// How far moves are looked into, one time after the other: the depth, and how many
/// milliseconds one move may hold its place in the pool. Short ones come first, so that
/// every move soon bears some value.
const MOVES: [(u32, u64); 13] = [
    (1, 40),
    (2, 60),
    (3, 80),
    (4, 120),
    (5, 200),
    (6, 300),
    (8, 500),
    (10, 800),
    (12, 1200),
    (14, 1500),
    (16, 1500),
    (20, 1500),
    (24, 1500),
];

/// The same for the positions of a game.
const GAME: [(u32, u64); 4] = [(1, 40), (4, 150), (8, 500), (12, 1500)];

/// How long a position is looked at in all, not counting the time in the queue.
const LONGEST: Duration = Duration::from_secs(20);

/// What a move or a position is worth.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Worth {
    /// The move; for a position the best one.
    pub(crate) mv: String,
    /// For the player to move.
    pub(crate) value: i32,
    /// Proven.
    pub(crate) exact: bool,
    pub(crate) depth: u32,
    /// How the game may go on, `mv` first.
    pub(crate) line: Vec<String>,
}

/// What is known about a position's moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Values {
    /// One for each move looked at, the best first.
    pub(crate) moves: Vec<Worth>,
    /// Nothing more will come.
    pub(crate) done: bool,
}

/// What is known about each position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Graph {
    pub(crate) points: Vec<Option<Worth>>,
    /// Nothing more will come.
    pub(crate) done: bool,
}

/// Searches that go on, so that all who look at the same thing share one.
#[derive(Debug, Default)]
pub(crate) struct Analyst {
    positions: Running<Values>,
    games: Running<Graph>,
    stock: Stock,
}

type Running<T> = Mutex<HashMap<String, (WeakInterest, watch::Receiver<T>)>>;

/// A search to listen to; dropping it may stop the search.
#[derive(Debug)]
pub(crate) struct Listening<T> {
    pub(crate) latest: watch::Receiver<T>,
    _interest: Interest,
}

impl Analyst {
    /// Listens to the search of a position's moves; begins it if need be.
    pub(crate) fn position(&self, site: &Arc<Site>, position: &AnyPosition) -> Listening<Values> {
        let key = format!("{} {position}", position.game());
        join(&self.positions, key, Values::default(), |sender, stop| {
            tokio::spawn(search_moves(site.clone(), position.clone(), sender, stop));
        })
    }

    /// Listens to the search of all positions of a game, which starts from what is known.
    pub(crate) fn game(
        &self,
        site: &Arc<Site>,
        key: String,
        positions: Vec<AnyPosition>,
        known: Graph,
        keep: Option<String>,
    ) -> Listening<Graph> {
        join(&self.games, key, known.clone(), |sender, stop| {
            tokio::spawn(search_game(
                site.clone(),
                positions,
                known,
                sender,
                stop,
                keep,
            ));
        })
    }
}

/// Joins a running search, or begins one.
fn join<T: Clone>(
    running: &Running<T>,
    key: String,
    empty: T,
    begin: impl FnOnce(watch::Sender<T>, Arc<AtomicBool>),
) -> Listening<T> {
    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((weak, latest)) = running.get(&key)
        && let Some(interest) = weak.upgrade()
    {
        return Listening {
            latest: latest.clone(),
            _interest: interest,
        };
    }
    running.retain(|_, (weak, _)| weak.upgrade().is_some());
    let interest = Interest::default();
    let (sender, latest) = watch::channel(empty);
    running.insert(key, (interest.downgrade(), latest.clone()));
    begin(sender, interest.flag());
    Listening {
        latest,
        _interest: interest,
    }
}

/// The worth of a position for the player to move, and how long it took to find.
async fn ask(
    site: &Arc<Site>,
    stop: &Arc<AtomicBool>,
    position: AnyPosition,
    (depth, ms): (u32, u64),
) -> Option<(Worth, Duration)> {
    if let Some(value) = position.final_value() {
        let worth = Worth {
            value,
            exact: true,
            ..Worth::default()
        };
        return Some((worth, Duration::ZERO));
    }
    let limits = Limits::default()
        .with_depth(depth)
        .with_wall(Duration::from_millis(ms))
        .with_stop(stop.clone());
    let here = site.clone();
    let work = move || {
        let started = Instant::now();
        let worth = here
            .analyst
            .stock
            .think(&position, &here.resources, &limits);
        (worth, started.elapsed())
    };
    let answer = site.pool.run(stop, work).await;
    answer.filter(|_| !stop.load(Ordering::Relaxed))
}

/// Looks at every move of a position, deeper and deeper.
async fn search_moves(
    site: Arc<Site>,
    position: AnyPosition,
    sender: watch::Sender<Values>,
    stop: Arc<AtomicBool>,
) {
    let mut spent = Duration::ZERO;
    let moves = position.moves();
    let mut values: Vec<Worth> = Vec::new();
    'deeper: for effort in MOVES {
        for mv in &moves {
            let known = values.iter().position(|worth| worth.mv == *mv);
            if known.is_some_and(|i| values[i].exact) {
                continue;
            }
            if spent > LONGEST {
                break 'deeper;
            }
            let mut next = position.clone();
            if next.play(mv).is_err() {
                continue;
            }
            let Some((reply, time)) = ask(&site, &stop, next, effort).await else {
                return;
            };
            spent += time;
            let worth = Worth {
                mv: mv.clone(),
                value: -reply.value,
                exact: reply.exact,
                depth: reply.depth + 1,
                line: std::iter::once(mv.clone()).chain(reply.line).collect(),
            };
            match known {
                Some(i) => values[i] = worth,
                None => values.push(worth),
            }
            let mut sorted = values.clone();
            sorted.sort_by_key(|worth| std::cmp::Reverse(worth.value));
            sender.send_replace(Values {
                moves: sorted,
                done: false,
            });
        }
        if values.iter().all(|worth| worth.exact) {
            break;
        }
    }
    sender.send_modify(|values| values.done = true);
}

/// Looks at every position of a game, the last one first, and then deeper.
async fn search_game(
    site: Arc<Site>,
    positions: Vec<AnyPosition>,
    mut graph: Graph,
    sender: watch::Sender<Graph>,
    stop: Arc<AtomicBool>,
    keep: Option<String>,
) {
    graph.points.resize(positions.len(), None);
    for effort in GAME {
        for (i, position) in positions.iter().enumerate().rev() {
            let known = graph.points[i].as_ref();
            if known.is_some_and(|worth| worth.exact || worth.depth >= effort.0) {
                continue;
            }
            let Some((worth, _)) = ask(&site, &stop, position.clone(), effort).await else {
                return;
            };
            graph.points[i] = Some(worth);
            sender.send_replace(graph.clone());
        }
        if let Some(id) = &keep {
            // What is lost by a failing store is looked for again.
            let _ = site.shelf.put("graph", id, &graph).await;
        }
    }
    graph.done = true;
    if let Some(id) = &keep {
        let _ = site.shelf.put("graph", id, &graph).await;
    }
    sender.send_replace(graph);
}

/// A value in words: `W5` for a win in five plies, or an estimate on the game's scale.
pub(crate) fn words(scale: &Scale, value: i32) -> String {
    let distance = WIN - value.abs();
    if distance < 10_000 {
        let letter = if value > 0 { 'W' } else { 'L' };
        return if distance == 0 {
            letter.to_string()
        } else {
            format!("{letter}{distance}")
        };
    }
    scale.words(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    /// A time that only a hang can miss, however busy the machine is.
    const HANG: Duration = Duration::from_secs(300);

    /// How many threads this process has; 0 where nobody says.
    fn threads() -> usize {
        std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn two_hundred_readers_share_the_pool_and_stop_it_by_leaving() {
        let config = Config {
            searches: 2,
            ..Config::default()
        };
        let site = Arc::new(Site::open(config).await.unwrap());
        let game = games::REVERSI;
        let mut readers: Vec<_> = (0..200)
            .map(|seed| AnyPosition::random_start(game, seed))
            .map(|position| site.analyst.position(&site, &position))
            .collect();
        // Each gets some value before long …
        for reader in &mut readers {
            let first = reader.latest.wait_for(|values| !values.moves.is_empty());
            let first = tokio::time::timeout(HANG, first).await;
            assert!(first.is_ok_and(|first| first.is_ok()));
        }
        // … though only two searches run: the other threads belong to tests and the store.
        assert!(threads() < readers.len(), "{} threads", threads());
        drop(readers);
        let free = async {
            while site.pool.free() < 2 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let free = tokio::time::timeout(HANG, free).await;
        assert!(free.is_ok(), "searches go on though nobody looks");
    }
}
