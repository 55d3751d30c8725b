//! Tournaments that nothing happens to.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use cluster::{Cluster, Status};
use referee::{Kind, PlayerSpec};
use tournament::schedule::Format;
use tournament::{Config, Event, Live, Observer, RunOptions, Store, Summary};

use super::children::{ACK_WAIT, WorkerArgs};
use super::server::Server;
use super::{HANG, block_on, check_games, checked, config};

/// A program that plays the first legal move that it finds, and says much about it.
const FIRST: &str = r#"#!/bin/sh
exec awk 'BEGIN {
    me = ARGV[9]; other = 3 - me
    for (y = 0; y < 8; y++) for (x = 0; x < 8; x++) {
        if (substr(ARGV[y + 1], x + 1, 1) != "0") continue
        for (dy = -1; dy <= 1; dy++) for (dx = -1; dx <= 1; dx++) {
            n = 0; a = x + dx; b = y + dy
            while (a >= 0 && a < 8 && b >= 0 && b < 8 && substr(ARGV[b + 1], a + 1, 1) == other) {
                a += dx; b += dy; n++
            }
            if (n > 0 && a >= 0 && a < 8 && b >= 0 && b < 8 && substr(ARGV[b + 1], a + 1, 1) == me) {
                print x "," y; exit
            }
        }
    }
}' "$@"
"#;

fn write_program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A cup of bots and real programs: one alone, and one in a folder with another file.
pub(crate) fn cup(server: &Server, pairs: u32) -> Config {
    let alone = server.place("bots/alone");
    write_program(&alone, FIRST);
    let folder = server.place("bots/with-a-folder");
    write_program(&folder.join("run"), "#!/bin/sh\nexec sh ./first \"$@\"\n");
    write_program(&folder.join("first"), FIRST);
    let mut config = config("cup", &["random", "greedy"], pairs);
    let alone = PlayerSpec::program(Kind::Argv, vec![alone.display().to_string()]);
    let mut inside = PlayerSpec::program(Kind::Argv, vec!["./run".into()]);
    inside.name = "inside".into();
    inside.folder = Some(folder);
    config.players.extend([alone, inside]);
    checked(config)
}

/// A pair between a bot and a program.
pub(crate) fn against_a_program(server: &Server) -> Config {
    let alone = server.place("bots/alone");
    write_program(&alone, FIRST);
    let mut config = config("one program", &["greedy"], 1);
    let alone = PlayerSpec::program(Kind::Argv, vec![alone.display().to_string()]);
    config.players.push(alone);
    checked(config)
}

/// All that is known of a cluster.
async fn known(server: &Server) -> String {
    let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
    let status = Status::ask(cluster.link()).await.unwrap();
    serde_json::to_string_pretty(&status).unwrap()
}

/// Runs a tournament on the workers of a server.
pub(crate) async fn run_with(
    server: &Server,
    db: &Path,
    config: &Config,
    observer: Arc<dyn Observer>,
) -> Summary {
    let store = Store::open(db).await.unwrap();
    let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
    let options = RunOptions {
        remote: Some(Arc::new(cluster.with_ack_wait(ACK_WAIT))),
        observer,
        ..RunOptions::default()
    };
    let ended = tokio::time::timeout(HANG, tournament::run(&store, config, &options)).await;
    let Ok(summary) = ended else {
        panic!("{} never ends: {}", config.name, known(server).await);
    };
    store.close().await;
    summary.unwrap()
}

pub(crate) fn run(server: &Server, db: &Path, config: &Config) -> Summary {
    block_on(run_with(server, db, config, Arc::new(|_: &Event| ())))
}

#[test]
fn a_cup_on_two_workers_is_that_on_one_machine() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = cup(&server, 1);
    let db = server.place("games.db");
    let _workers = ["one", "two"].map(|name| WorkerArgs::new(&server, name).spawn());
    let live = Arc::new(Live::default());
    let summary = block_on(run_with(&server, &db, &config, live.clone()));
    assert!(summary.finished && summary.quarantined.is_empty());
    assert_eq!(live.finished().len(), config.plan().games());
    check_games(&db, &config);
    block_on(async {
        let store = Store::open(&db).await.unwrap();
        for row in live.finished() {
            let record = store.record(&row.id).await.unwrap().unwrap();
            // Every record names the worker, its speed and its walls.
            let machine = record.machine.unwrap();
            assert!(
                ["one", "two"].contains(&machine.worker.as_str()),
                "{machine:?}"
            );
            assert_eq!((machine.speed, machine.scale), (1.0, None));
            let programs = record.players.iter().any(|player| player.kind.is_program());
            assert_eq!(record.isolation.is_some(), programs);
            let legal = record.moves.iter().all(|turn| !turn.verdict.is_fault());
            assert!(legal, "{}", row.id);
        }
        // Nothing is left over, and everybody is there.
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let status = Status::ask(cluster.link()).await.unwrap();
        let names: Vec<&str> = status
            .workers
            .iter()
            .map(|one| one.worker.as_str())
            .collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(status.reference, Some(1.0));
        assert_eq!((status.results, status.quarantine.len()), (0, 0));
        assert!(
            status
                .queues
                .iter()
                .all(|queue| queue.waiting == 0 && queue.playing == 0)
        );
        assert!(
            status
                .queues
                .iter()
                .any(|queue| queue.class.to_string() == "apart-timed")
        );
    });
}

#[test]
fn every_format_is_played_to_its_end() {
    let Some(server) = Server::start() else {
        return;
    };
    let _worker = WorkerArgs::new(&server, "one").spawn();
    for format in [
        Format::Swiss { rounds: 2 },
        Format::Knockout { extra_pairs: 1 },
    ] {
        let mut config = config(
            format.name(),
            &["greedy", "random", "minimax:1", "minimax:2"],
            1,
        );
        config.format = format;
        let config = checked(config);
        let db = server.place(format.name());
        assert!(run(&server, &db, &config).finished);
        if format == (Format::Swiss { rounds: 2 }) {
            check_games(&db, &config);
        }
    }
}

/// Turns of a long game are seen while it is played.
#[test]
fn live_pages_see_turns() {
    let Some(server) = Server::start() else {
        return;
    };
    let slow = server.place("bots/slow");
    let text = FIRST.replacen("exec awk", "sleep 0.1\nexec awk", 1);
    write_program(&slow, &text);
    let mut config = config("slow", &["greedy"], 1);
    config.players.push(PlayerSpec::program(
        Kind::Argv,
        vec![slow.display().to_string()],
    ));
    let config = checked(config);
    let _worker = WorkerArgs::new(&server, "one").spawn();
    let seen = Arc::new(Mutex::new((0, 0)));
    let counter = seen.clone();
    let observer = move |event: &Event| match event {
        Event::GameStarted { .. } => counter.lock().unwrap().0 += 1,
        Event::Turn { .. } => counter.lock().unwrap().1 += 1,
        _ => {}
    };
    let db = server.place("games.db");
    assert!(block_on(run_with(&server, &db, &config, Arc::new(observer))).finished);
    let (started, turns) = *seen.lock().unwrap();
    assert_eq!(started, 2);
    assert!(turns > 10, "{turns}");
}

/// Records that no message can hold come through the object store, and are removed there.
#[test]
fn large_records_arrive() {
    let change = |text: String| text.replace("max_payload: 1MB", "max_payload: 192KB");
    let Some(server) = Server::start_with(change) else {
        return;
    };
    let loud = server.place("bots/loud");
    let noise = "head -c 8000 /dev/urandom | od -An -tx1 >&2\nexec awk";
    write_program(&loud, &FIRST.replacen("exec awk", noise, 1));
    let mut config = config("loud", &["greedy"], 1);
    config.players.push(PlayerSpec::program(
        Kind::Argv,
        vec![loud.display().to_string()],
    ));
    let config = checked(config);
    let _worker = WorkerArgs::new(&server, "one").spawn();
    let db = server.place("games.db");
    assert!(run(&server, &db, &config).finished);
    check_games(&db, &config);
    block_on(async {
        let store = Store::open(&db).await.unwrap();
        let rows = store
            .games(&config.id(), &Default::default())
            .await
            .unwrap();
        let record = store.record(&rows[0].id).await.unwrap().unwrap();
        let size: usize = record
            .moves
            .iter()
            .map(|turn| serde_json::to_string(&turn.stderr).unwrap().len())
            .sum();
        assert!(size > 192 << 10, "{size}");
    });
}
