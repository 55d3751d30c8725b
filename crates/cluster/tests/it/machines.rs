//! Workers that cannot do all work: full disks, no walls, another speed, another version.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use cluster::{Address, Cluster, Status};
use tournament::runner::physical_cores;
use tournament::{Config, RunOptions, Store};

use super::children::{WorkerArgs, coordinate};
use super::played::{cup, run};
use super::server::Server;
use super::{block_on, check_games, checked, config, count, wait_until};

pub(crate) fn status(server: &Server) -> Status {
    block_on(async {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        Status::ask(cluster.link()).await.unwrap()
    })
}

/// What keeps a worker from work.
fn troubles(server: &Server, worker: &str) -> String {
    let status = status(server);
    let found = status.workers.iter().find(|one| one.worker == worker);
    found.map_or_else(String::new, |one| one.troubles.join("\n"))
}

#[test]
fn a_worker_that_can_write_nothing_loses_nothing() {
    let Some(server) = Server::start() else {
        return;
    };
    let args = WorkerArgs::new(&server, "full");
    // Its folder was made when there was room.
    for part in ["0/programs", "0/spool", "0/unpacked"] {
        std::fs::create_dir_all(args.place.join(part)).unwrap();
    }
    std::fs::write(args.place.join("0/lock"), "").unwrap();
    let _full = args.spawn_without_disk();
    // Games of bots need no files but the record, which goes out of memory.
    let bots = checked(config("bots", &["random", "greedy", "minimax:1"], 1));
    let db = server.place("games.db");
    assert!(run(&server, &db, &bots).finished);
    check_games(&db, &bots);
    // Programs need a disk: another worker plays them, and nothing is put aside.
    let config = cup(&server, 1);
    let mut coordinator = coordinate(&server, &db, &config);
    wait_until("the worker says why", || {
        troubles(&server, "full").contains("no programs (apart-timed): nothing can be written: ")
    });
    let _other = WorkerArgs::new(&server, "other").spawn();
    wait_until("the tournament ends", || coordinator.ended().is_some());
    assert_eq!(coordinator.ended(), Some(true));
    assert_eq!(status(&server).quarantine.len(), 0);
    check_games(&db, &config);
}

#[test]
fn a_spoiled_copy_of_a_program_is_fetched_again() {
    let Some(server) = Server::start() else {
        return;
    };
    let args = WorkerArgs::new(&server, "one");
    let worker = args.spawn();
    let config = cup(&server, 1);
    assert!(run(&server, &server.place("first.db"), &config).finished);
    worker.kill();
    let cached = args.place.join("0/programs");
    let files = || {
        std::fs::read_dir(&cached)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    assert_eq!(files().count(), 2);
    files().for_each(|path| std::fs::write(path, "something else").unwrap());
    let _worker = args.spawn();
    let db = server.place("second.db");
    assert!(run(&server, &db, &config).finished);
    check_games(&db, &config);
    for path in files() {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(referee::hash(&std::fs::read(&path).unwrap()), name);
    }
}

#[test]
fn without_walls_no_programs_are_played() {
    let Some(server) = Server::start() else {
        return;
    };
    let mut args = WorkerArgs::new(&server, "open");
    args.walls = false;
    let _open = args.spawn();
    let config = cup(&server, 1);
    let db = server.place("games.db");
    let mut coordinator = coordinate(&server, &db, &config);
    let why = "no work that needs walls (apart-timed): programs cannot be kept apart: \
               namespaces are forbidden";
    wait_until("the worker says why", || {
        troubles(&server, "open").contains(why)
    });
    // The two games of bots it does play.
    wait_until("bots play", || count(&db, &config.id()) == 2);
    assert_eq!(coordinator.ended(), None);
    let _walled = WorkerArgs::new(&server, "walled").spawn();
    wait_until("the tournament ends", || coordinator.ended().is_some());
    check_games(&db, &config);
}

/// Runs a tournament until something is said about it, and stops it.
fn run_until_said(server: &Server, db: &Path, config: &Config, expected: &str) {
    block_on(async {
        let store = Store::open(db).await.unwrap();
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let list = said.clone();
        let say = Arc::new(move |line: &str| list.lock().unwrap().push(line.into()));
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let options = RunOptions {
            remote: Some(Arc::new(cluster.with_say(say))),
            ..RunOptions::default()
        };
        let stop = options.stop.clone();
        let watch = tokio::task::spawn_blocking({
            let expected = expected.to_owned();
            move || {
                wait_until(&format!("{expected:?} is said"), || {
                    said.lock().unwrap().contains(&expected)
                });
                stop.store(true, Ordering::Relaxed);
            }
        });
        let summary = tournament::run(&store, config, &options).await.unwrap();
        watch.await.unwrap();
        assert_eq!((summary.finished, summary.added), (false, 0));
        store.close().await;
    });
}

/// Decides which speed counts.
pub(crate) fn set_reference(server: &Server, seconds: f64) {
    block_on(async {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        cluster::set_reference(cluster.link(), Some(seconds))
            .await
            .unwrap();
    });
}

#[test]
fn a_slow_machine_plays_no_timed_games_unless_limits_are_scaled() {
    let Some(server) = Server::start() else {
        return;
    };
    set_reference(&server, 1.0);
    let mut timed = config("timed", &["random", "alphabeta:1ms"], 1);
    let db = server.place("games.db");
    let nobody = "1 pair waits, and no worker is there: start some by ludex worker --nats URL";
    run_until_said(&server, &db, &checked(timed.clone()), nobody);
    let mut slow = WorkerArgs::new(&server, "slow");
    slow.seconds = 1.3;
    let _slow = slow.spawn();
    let why = "no timed games (open-timed): core 0 runs at 77 % of the speed";
    wait_until("the worker says why", || {
        troubles(&server, "slow").contains(why)
    });
    let too_slow = format!("1 pair waits, and no worker takes work (slow: {why})");
    run_until_said(&server, &db, &checked(timed.clone()), &too_slow);
    timed.seed = 3;
    timed.scale_limits = true;
    let scaled = checked(timed);
    assert!(run(&server, &db, &scaled).finished);
    block_on(async {
        let store = Store::open(&db).await.unwrap();
        let rows = store
            .games(&scaled.id(), &Default::default())
            .await
            .unwrap();
        let record = store.record(&rows[0].id).await.unwrap().unwrap();
        let machine = record.machine.unwrap();
        assert_eq!(
            machine.scale.map(|scale| (scale * 100.0).round()),
            Some(130.0)
        );
    });
}

/// A worker whose cores others have takes them when they become free.
#[test]
fn a_core_that_becomes_free_is_taken() {
    let Some(server) = Server::start() else {
        return;
    };
    let mut args = WorkerArgs::new(&server, "later");
    args.pin = true;
    let user = nix::unistd::geteuid();
    let cores = server.place(&format!("ludex-cores-{user}"));
    std::fs::create_dir(&cores).unwrap();
    let taken: Vec<File> = physical_cores()
        .iter()
        .map(|core| {
            let file = File::create(cores.join(core.to_string())).unwrap();
            file.lock().unwrap();
            file
        })
        .collect();
    let _later = args.spawn();
    let config = checked(config("timed", &["random", "alphabeta:1ms"], 1));
    let db = server.place("games.db");
    let mut coordinator = coordinate(&server, &db, &config);
    let why = "no timed games until a core is free: other workers have all of this machine";
    wait_until("the worker says why", || {
        troubles(&server, "later").contains(why)
    });
    assert_eq!(coordinator.ended(), None);
    drop(taken);
    wait_until("the tournament ends", || coordinator.ended().is_some());
    assert_eq!(troubles(&server, "later"), "");
}

#[test]
fn a_worker_of_another_version_is_told_and_waits() {
    let Some(server) = Server::start() else {
        return;
    };
    let mut args = WorkerArgs::new(&server, "newer");
    args.protocol = 2;
    let _newer = args.spawn();
    let config = checked(config("bots", &["random", "greedy"], 1));
    let db = server.place("games.db");
    let mut coordinator = coordinate(&server, &db, &config);
    let why = "this worker speaks version 2 of the protocol, the coordinator version 1";
    wait_until("the worker is told", || {
        troubles(&server, "newer").contains(why)
    });
    assert_eq!(coordinator.ended(), None);
    let _worker = WorkerArgs::new(&server, "one").spawn();
    wait_until("the tournament ends", || coordinator.ended().is_some());
    check_games(&db, &config);
}

#[test]
fn who_has_no_key_is_refused() {
    let Some(server) = Server::start() else {
        return;
    };
    let refused = |address: Address| {
        let error = block_on(Cluster::connect(&address)).unwrap_err();
        error.to_string().replace(&server.url(), "URL")
    };
    let without = refused(Address::new(server.url()));
    assert_eq!(
        without,
        "cannot connect to URL: it wants a key: --creds FILE"
    );
    // A key of somebody else.
    let other = Server::start().unwrap();
    let mut address = other.coordinator();
    address.url = server.url();
    let path = address.credentials.clone().unwrap();
    let unknown = format!(
        "cannot connect to URL: it does not know the key in {}",
        path.display()
    );
    assert_eq!(refused(address), unknown);
    // A worker cannot make streams, nor give out work, nor look who else is there.
    let path = server.worker().credentials.unwrap();
    let not_allowed = format!(
        "{}: the server does not allow that with this key: Permissions Violation",
        path.display()
    );
    let worker = refused(server.worker());
    assert!(worker.starts_with(&not_allowed), "{worker}");
    let asked = block_on(async {
        let link = cluster::Link::connect(&server.worker(), "nosy").await;
        Status::ask(&link.unwrap()).await.unwrap_err().to_string()
    });
    assert!(asked.starts_with(&not_allowed), "{asked}");
    let nobody = refused(Address::new("nats://127.0.0.1:1"));
    assert!(
        nobody.starts_with("cannot connect to nats://127.0.0.1:1: "),
        "{nobody}"
    );
}

/// Whoever looks at a server that has gone is told, and does not wait for it.
#[test]
fn a_server_that_goes_is_missed() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let (asked, retried) = block_on(async {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let link = cluster.link();
        server.kill();
        let asked = Status::ask(link).await.unwrap_err();
        let retried = cluster::retry(link, None).await.unwrap_err();
        (asked.to_string(), retried.to_string())
    });
    let away = format!("cannot connect to {}: the server is away", server.url());
    assert_eq!((&asked, &retried), (&away, &away));
    let empty = block_on(Cluster::connect(&Address::new(" "))).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "the address of the NATS server is empty: nats://host:4222 is meant"
    );
}
