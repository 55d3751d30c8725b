//! A runner that is killed again and again loses no game and counts none twice.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tournament::{Config, Store};

use super::{block_on, checked, config, games_of, options};

/// The variable that tells the child below where to play.
const DB: &str = "LUDEX_TEST_TOURNAMENT_DB";

/// The pause between two looks at how many games there are.
const PAUSE: Duration = Duration::from_millis(2);

/// How often the runner is killed, each time after a few more games.
const KILLS: usize = 25;

fn cup() -> Config {
    let mut config = config("killed", &["random", "greedy", "minimax:2", "minimax:1"]);
    config.pairs = 20;
    checked(config)
}

/// Not a test of its own: the process that `a_killed_runner_goes_on` kills.
#[test]
fn child() {
    let Ok(db) = std::env::var(DB) else { return };
    block_on(async {
        let store = Store::open(db).await.unwrap();
        tournament::run(&store, &cup(), &options()).await.unwrap();
    });
}

fn spawn(db: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child", "--test-threads=1"])
        .env(DB, db)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_runner_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.db");
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let id = cup().id();
    let mut known = 0;
    let mut interrupted = 0;
    for _ in 0..KILLS {
        let mut child = spawn(&db);
        let enough = known + rng.random_range(0..6);
        while block_on(check(&db, &id)) < enough && child.try_wait().unwrap().is_none() {
            std::thread::sleep(PAUSE);
        }
        interrupted += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let now = block_on(check(&db, &id));
        assert!(now >= known, "{now} games after {known}");
        known = now;
    }
    assert!(interrupted > 0, "no run was interrupted");
    assert!(spawn(&db).wait().unwrap().success());
    block_on(async {
        let store = Store::open(&db).await.unwrap();
        let played = games_of(&store, &id).await;
        assert_eq!(played.len(), cup().plan().games());
        let whole = Store::in_memory().await.unwrap();
        tournament::run(&whole, &cup(), &options()).await.unwrap();
        assert_eq!(played, games_of(&whole, &id).await);
    });
}

/// Every game in the file is whole; returns how many there are.
async fn check(db: &Path, id: &str) -> usize {
    let store = Store::open(db).await.unwrap();
    if store.tournament(id).await.is_err() {
        // Killed before it could enter the tournament.
        return 0;
    }
    let games = store.games(id, &Default::default()).await.unwrap();
    for game in &games {
        let record = store.record(&game.id).await.unwrap().unwrap();
        assert_eq!(record.moves.len(), game.turns as usize, "{}", game.id);
        assert_eq!(record.score, game.score, "{}", game.id);
    }
    store.close().await;
    games.len()
}

#[test]
fn two_runners_at_once_share_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.db");
    let mut children = [spawn(&db), spawn(&db)];
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let games = block_on(check(&db, &cup().id()));
    assert_eq!(games, cup().plan().games());
}
