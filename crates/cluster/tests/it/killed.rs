//! Workers, coordinators and servers that die or freeze at any moment.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::children::{ACK_WAIT, WorkerArgs, coordinate};
use super::played::cup;
use super::server::Server;
use super::{block_on, check_games, checked, config, count, wait_until};

/// How often somebody is killed: `cargo xtask cluster-kills` sets the variable.
pub(crate) fn kills() -> usize {
    let number = std::env::var("LUDEX_CLUSTER_KILLS")
        .ok()
        .and_then(|text| text.parse().ok());
    number.unwrap_or(9)
}

#[test]
fn whoever_is_killed_every_game_is_kept_once() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let kills = kills();
    // Where many are killed the cup must not be over before the last of them.
    let pairs = if kills > 20 { kills } else { kills / 3 };
    let config = cup(&server, (pairs as u32).max(2));
    let db = server.place("games.db");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let args = ["one", "two"].map(|name| WorkerArgs::new(&server, name));
    let mut workers = args.clone().map(|args| Some(args.spawn()));
    let mut coordinator = coordinate(&server, &db, &config);
    let (mut killed, mut known) = ([0; 3], 0);
    for _ in 0..kills {
        // At a random moment, but not so soon that nothing ever happens between two of them.
        std::thread::sleep(Duration::from_millis(rng.random_range(0..3000)));
        if coordinator.ended().is_some() {
            break;
        }
        match rng.random_range(0..4) {
            0 => {
                server.kill();
                std::thread::sleep(Duration::from_millis(rng.random_range(0..500)));
                server.resume();
                killed[0] += 1;
            }
            1 => {
                coordinator.kill();
                let now = count(&db, &config.id());
                assert!(now >= known, "{now} games after {known}");
                known = now;
                coordinator = coordinate(&server, &db, &config);
                killed[1] += 1;
            }
            which => {
                workers[which - 2].take().unwrap().kill();
                workers[which - 2] = Some(args[which - 2].spawn());
                killed[2] += 1;
            }
        }
    }
    eprintln!("killed: {killed:?} (servers, coordinators, workers)");
    assert!(
        killed.iter().sum::<usize>() > 0,
        "it was over before anybody was killed"
    );
    // However slow the machine, game after game is kept.
    let mut kept = 0;
    while coordinator.ended().is_none() {
        // All games are read to count them, so not too often.
        std::thread::sleep(Duration::from_millis(500));
        wait_until("another game, or the end", || {
            let before = kept;
            kept = kept.max(count(&db, &config.id()));
            kept > before || coordinator.ended().is_some()
        });
    }
    assert_eq!(coordinator.ended(), Some(true));
    check_games(&db, &config);
}

/// A worker that freezes while it plays: another one plays the pair, and the late result counts
/// for nothing.
#[test]
fn a_frozen_worker_holds_nothing_up() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = cup(&server, 1);
    let db = server.place("games.db");
    let frozen = WorkerArgs::new(&server, "frozen").spawn();
    let mut coordinator = coordinate(&server, &db, &config);
    wait_until("a game is kept", || count(&db, &config.id()) > 0);
    frozen.signal("-STOP");
    let _other = WorkerArgs::new(&server, "other").spawn();
    wait_until("the tournament ends", || coordinator.ended().is_some());
    assert_eq!(coordinator.ended(), Some(true));
    frozen.signal("-CONT");
    // Its result may come now; a coordinator that runs again finds everything done.
    std::thread::sleep(ACK_WAIT);
    let mut again = coordinate(&server, &db, &config);
    wait_until("the tournament ends", || again.ended().is_some());
    check_games(&db, &config);
}

/// A pair during which three workers die is put aside, and played when somebody asks for it.
#[test]
fn a_poisonous_pair_is_put_aside() {
    use futures_util::StreamExt as _;
    let Some(server) = Server::start() else {
        return;
    };
    // Long enough that a worker can be killed meanwhile.
    let mut poison = config("poison", &["alphabeta:d5", "alphabeta:d6"], 1);
    poison.players[1].name = "other".into();
    let config = checked(poison);
    let db = server.place("games.db");
    block_on(async {
        let cluster = cluster::Cluster::connect(&server.coordinator()).await;
        let cluster = cluster.unwrap();
        let link = cluster.link().clone();
        let spy = super::strays::spy(&server).await;
        let mut tries = spy.subscribe("ludex.v1.tries.>").await.unwrap();
        spy.flush().await.unwrap();
        let cluster = cluster.with_ack_wait(Duration::from_millis(500));
        let store = tournament::Store::open(&db).await.unwrap();
        let options = tournament::RunOptions {
            remote: Some(std::sync::Arc::new(cluster.clone())),
            ..Default::default()
        };
        let run = {
            let (store, config, options) = (store.clone(), config.clone(), options.clone());
            tokio::spawn(async move { tournament::run(&store, &config, &options).await.unwrap() })
        };
        for number in 0..3 {
            let worker = WorkerArgs::new(&server, &format!("victim-{number}")).spawn();
            tries.next().await.unwrap();
            worker.kill();
        }
        let _healthy = WorkerArgs::new(&server, "healthy").spawn();
        let summary = run.await.unwrap();
        assert!(!summary.finished);
        assert_eq!(summary.quarantined.len(), 2);
        let status = cluster::Status::ask(&link).await.unwrap();
        assert_eq!(status.quarantine.len(), 1);
        let known = status.quarantine[0].known();
        for part in [
            "begun 3 times without a result",
            "victim-0: never heard of again",
            "victim-2",
        ] {
            assert!(known.contains(part), "{known}");
        }
        let notes = store.notes(&config.id()).await.unwrap();
        assert!(
            notes.iter().any(|note| note.text.contains(&known)),
            "{notes:?}"
        );
        // Nothing is scored, and it stays so.
        assert_eq!(store.tournament(&config.id()).await.unwrap().played, 0);
        let summary = tournament::run(&store, &config, &options).await.unwrap();
        assert_eq!((summary.finished, summary.added), (false, 0));
        assert_eq!(
            cluster::retry(&link, Some("nothing")).await.unwrap(),
            [""; 0]
        );
        assert_eq!(cluster::retry(&link, None).await.unwrap().len(), 1);
        let summary = tournament::run(&store, &config, &options).await.unwrap();
        assert!(summary.finished && summary.added == 2, "{summary:?}");
        store.close().await;
    });
    check_games(&db, &config);
}
