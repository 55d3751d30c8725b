//! Whole tournaments on workers of a real server, whatever happens to any of them.

mod children;
mod killed;
mod machines;
mod played;
mod server;
mod spoiled;
mod strays;
mod tasks;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;

use std::path::Path;

use tournament::{Config, GameFilter, RawConfig, RunOptions, Store};

use self::waiting::{HANG, wait_until};

/// A quick tournament of these players.
fn config(name: &str, players: &[&str], pairs: u32) -> RawConfig {
    let players = players.iter().map(|p| p.parse().unwrap()).collect();
    let mut config = RawConfig::new(name, games::REVERSI, players);
    // How busy the machine is must decide nothing.
    config.limits.wall = None;
    config.pairs = pairs;
    config
}

#[track_caller]
fn checked(config: RawConfig) -> Config {
    config.try_into().unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// Waits for something that must end.
#[track_caller]
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let caller = std::panic::Location::caller();
    let ended = runtime().block_on(async { tokio::time::timeout(2 * HANG, future).await });
    ended.unwrap_or_else(|_| panic!("what {caller} waits for never ended"))
}

/// All that is known of every game except times: what two runs must agree on.
async fn games_of(store: &Store, tournament: &str) -> Vec<String> {
    let filter = GameFilter::default();
    let rows = store.games(tournament, &filter).await.unwrap();
    let mut games = Vec::new();
    for row in rows {
        let record = store.record(&row.id).await.unwrap().unwrap();
        let moves: Vec<String> = record.moves.iter().filter_map(|mv| mv.mv.clone()).collect();
        let names = record.players.clone().map(|player| player.name);
        games.push(format!(
            "{} {} {} {names:?} {:?} {} {} {:?} {:?}",
            row.id,
            row.first,
            row.second,
            row.score,
            record.start,
            moves.join(" "),
            record.ending,
            record.programs,
        ));
    }
    games
}

/// How many games of a tournament a file has.
fn count(db: &Path, tournament: &str) -> usize {
    block_on(async {
        let store = Store::open(db).await.unwrap();
        let games = store.games(tournament, &GameFilter::default()).await;
        store.close().await;
        games.map_or(0, |games| games.len())
    })
}

/// Holds the games in a file against those of a run on this machine.
#[track_caller]
fn check_games(db: &Path, config: &Config) {
    block_on(async {
        let store = Store::open(db).await.unwrap();
        let here = Store::in_memory().await.unwrap();
        let options = RunOptions {
            concurrency: 2,
            pin: false,
            ..RunOptions::default()
        };
        let summary = tournament::run(&here, config, &options).await.unwrap();
        let (found, expected) = (
            games_of(&store, &summary.tournament).await,
            games_of(&here, &summary.tournament).await,
        );
        assert_eq!(found.len(), config.plan().games());
        assert_eq!(found, expected);
        assert!(
            store
                .tournament(&summary.tournament)
                .await
                .unwrap()
                .finished
        );
        store.close().await;
    });
}
