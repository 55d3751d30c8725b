//! Results that come twice, too late, or from somebody who makes them up.

use std::sync::{Arc, Mutex};

use async_nats::Client;
use cluster::protocol::Outcome;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use futures_util::StreamExt as _;
use tournament::Event;

use super::children::WorkerArgs;
use super::played::run_with;
use super::server::Server;
use super::{block_on, check_games, checked, config, wait_until};

pub(crate) async fn spy(server: &Server) -> Client {
    let address = server.coordinator();
    let seed = std::fs::read_to_string(address.credentials.unwrap()).unwrap();
    let seed = seed.lines().find(|line| line.starts_with("SU")).unwrap();
    let options = async_nats::ConnectOptions::with_nkey(seed.into());
    options.connect(&address.url).await.unwrap()
}

#[test]
fn results_that_come_again_change_nothing() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = checked(config(
        "twice",
        &["random", "greedy", "minimax:1", "minimax:2"],
        3,
    ));
    let db = server.place("games.db");
    let _worker = WorkerArgs::new(&server, "one").spawn();
    block_on(async {
        let spy = spy(&server).await;
        let mut results = spy.subscribe("ludex.v1.result.>").await.unwrap();
        let seen: Arc<Mutex<Vec<async_nats::Message>>> = Arc::default();
        let (list, again) = (seen.clone(), spy.clone());
        let echo = tokio::spawn(async move {
            while let Some(message) = results.next().await {
                // Only what a worker sent: echoes have no header.
                if message.headers.is_none() {
                    continue;
                }
                let (subject, payload) = (message.subject.clone(), message.payload.clone());
                let earlier = {
                    let mut list = list.lock().unwrap();
                    list.push(message);
                    list.first().filter(|_| list.len() > 1).cloned()
                };
                // The same again, one from long ago, and nonsense.
                again.publish(subject.clone(), payload).await.unwrap();
                if let Some(earlier) = earlier {
                    again
                        .publish(earlier.subject, earlier.payload.clone())
                        .await
                        .unwrap();
                    // The result of another pair under this name.
                    again
                        .publish(subject.clone(), earlier.payload)
                        .await
                        .unwrap();
                }
                again.publish(subject, "nonsense".into()).await.unwrap();
            }
        });
        let nobody = Arc::new(|_: &Event| ());
        let summary = run_with(&server, &db, &config, nobody).await;
        assert!(summary.finished);
        assert_eq!(summary.added, config.plan().games());
        assert_eq!(seen.lock().unwrap().len(), config.plan().games() / 2);
        echo.abort();
    });
    check_games(&db, &config);
}

/// Two coordinators of one tournament would take each other's results.
#[test]
fn a_tournament_has_one_coordinator() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = checked(config("one", &["random", "greedy"], 1));
    let db = server.place("games.db");
    block_on(async {
        let cluster = cluster::Cluster::connect(&server.coordinator())
            .await
            .unwrap();
        let options = tournament::RunOptions {
            remote: Some(Arc::new(cluster)),
            ..Default::default()
        };
        let store = tournament::Store::open(&db).await.unwrap();
        let begin = || {
            let (store, config, options) = (store.clone(), config.clone(), options.clone());
            tokio::spawn(async move { tournament::run(&store, &config, &options).await })
        };
        let mut first = begin();
        let error = loop {
            // The first may not have begun, or was itself refused.
            if first.is_finished() {
                first = begin();
            }
            let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
            let options = tournament::RunOptions {
                stop,
                ..options.clone()
            };
            if let Err(error) = tournament::run(&store, &config, &options).await {
                break error;
            }
        };
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("{} is being run by ", config.id())),
            "{text}"
        );
        let _worker = WorkerArgs::new(&server, "one").spawn();
        assert!(first.await.unwrap().unwrap().finished);
        store.close().await;
    });
    check_games(&db, &config);
}

/// A result without games, as it lies on a worker's disk.
fn result_called(name: &str) -> Vec<u8> {
    let (tournament, unit) = name.split_once('+').unwrap();
    let outcome = Outcome {
        tournament: tournament.into(),
        unit: unit.into(),
        games: Vec::new(),
        report: None,
    };
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut packer, &outcome).unwrap();
    packer.finish().unwrap()
}

/// What comes when everything is kept is forgotten, by the worker and on the server; what somebody
/// may still ask for is not.
#[test]
fn results_of_what_is_over_are_forgotten() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = checked(config("over", &["random", "greedy"], 1));
    let args = WorkerArgs::new(&server, "one");
    let worker = args.spawn();
    let db = server.place("games.db");
    assert!(super::played::run(&server, &db, &config).finished);
    worker.kill();
    // Left by a worker that was frozen or cut off.
    let over = config.id();
    let spool = args.place.join("0/spool");
    let (late, wanted) = (format!("{over}+late"), "another-cup+1-1-1x2");
    for name in [&late[..], wanted] {
        std::fs::write(spool.join(name), result_called(name)).unwrap();
    }
    block_on(async {
        let spy = spy(&server).await;
        let subject = format!("ludex.v1.result.{over}.stray");
        spy.publish(subject, "a result".into()).await.unwrap();
        spy.flush().await.unwrap();
    });
    let _worker = args.spawn();
    wait_until("the late result is forgotten, the other one sent", || {
        let status = super::machines::status(&server);
        let spooled: Vec<usize> = status.workers.iter().map(|one| one.spooled).collect();
        spooled == [1] && status.results == 1
    });
    assert!(!spool.join(&late).exists());
    assert!(spool.join(wanted).exists());
    // Whoever runs it anew, elsewhere, gets results.
    let db = server.place("anew.db");
    assert!(super::played::run(&server, &db, &config).finished);
    check_games(&db, &config);
}
