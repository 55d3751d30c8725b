//! Whole tournaments, from the configuration to the report.

mod killed;
mod library;
mod outputs;
mod put_aside;
mod reviews;
mod runs;
mod store;

use tournament::config::Openings;
use tournament::{Config, GameFilter, RawConfig, RunOptions, Store};

/// A quick tournament of these players.
fn config(name: &str, players: &[&str]) -> RawConfig {
    let players = players.iter().map(|p| p.parse().unwrap()).collect();
    let mut config = RawConfig::new(name, games::REVERSI, players);
    // How busy the machine is must decide nothing.
    config.limits.wall = None;
    config
}

/// The same, checked.
#[track_caller]
fn checked(config: RawConfig) -> Config {
    config.try_into().unwrap()
}

/// Two games at once wherever the system likes, and nobody watching.
fn options() -> RunOptions {
    RunOptions {
        concurrency: 2,
        pin: false,
        ..RunOptions::default()
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// All that is known of every game except times: what two runs must agree on.
async fn games_of(store: &Store, tournament: &str) -> Vec<String> {
    let rows = store
        .games(tournament, &GameFilter::default())
        .await
        .unwrap();
    let mut games = Vec::new();
    for row in rows {
        let record = store.record(&row.id).await.unwrap().unwrap();
        let moves: Vec<String> = record.moves.into_iter().filter_map(|mv| mv.mv).collect();
        games.push(format!(
            "{} {} {} {:?} {} {}",
            row.id,
            row.first,
            row.second,
            row.score,
            record.start,
            moves.join(" ")
        ));
    }
    games
}

#[test]
fn equal_configurations_play_equal_games() {
    block_on(async {
        let mut config = config("twice", &["random", "greedy", "minimax:1"]);
        config.openings = Openings::default();
        config.pairs = 2;
        let config = checked(config);
        let mut runs = Vec::new();
        for concurrency in [1, 3] {
            let store = Store::in_memory().await.unwrap();
            let options = RunOptions {
                concurrency,
                ..options()
            };
            let summary = tournament::run(&store, &config, &options).await.unwrap();
            assert!(summary.finished);
            runs.push(games_of(&store, &summary.tournament).await);
        }
        assert_eq!(runs[0].len(), 12);
        assert_eq!(runs[0], runs[1]);
    });
}
