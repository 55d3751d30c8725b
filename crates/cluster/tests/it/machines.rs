//! Workers that cannot do all work: full disks, no walls, another speed, another version.

use std::time::Duration;

use cluster::{Address, Cluster, Status};

use super::children::{WorkerArgs, coordinate};
use super::played::{cup, run};
use super::server::Server;
use super::{block_on, check_games, checked, config, count, wait_until};

fn status(server: &Server) -> Status {
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
    std::thread::sleep(Duration::from_secs(1));
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

#[test]
fn a_slow_machine_plays_no_timed_games_unless_limits_are_scaled() {
    let Some(server) = Server::start() else {
        return;
    };
    let mut slow = WorkerArgs::new(&server, "slow");
    slow.seconds = 1.3;
    let mut timed = config("timed", &["random", "alphabeta:1ms"], 1);
    let config = checked(timed.clone());
    let db = server.place("games.db");
    let usual = WorkerArgs::new(&server, "usual").spawn();
    assert!(run(&server, &db, &config).finished);
    usual.kill();
    let _slow = slow.spawn();
    timed.seed = 2;
    let next = checked(timed.clone());
    let mut coordinator = coordinate(&server, &db, &next);
    wait_until("the worker says why", || {
        let why = "no timed games (open-timed): core 0 runs at 77 % of the speed";
        troubles(&server, "slow").contains(why)
    });
    assert_eq!((coordinator.ended(), count(&db, &next.id())), (None, 0));
    coordinator.kill();
    timed.seed = 3;
    timed.scale_limits = true;
    let scaled = checked(timed);
    assert!(run(&server, &db, &scaled).finished);
    block_on(async {
        let store = tournament::Store::open(&db).await.unwrap();
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
    assert!(without.starts_with("cannot connect to URL: "), "{without}");
    assert!(without.contains("uthorization"), "{without}");
    // A key of somebody else.
    let other = Server::start().unwrap();
    let mut address = other.coordinator();
    address.url = server.url();
    let wrong = refused(address);
    assert!(wrong.contains("uthorization"), "{wrong}");
    // A worker cannot make streams, nor give out work.
    let worker = refused(server.worker());
    assert!(
        worker.starts_with("the NATS server fails: make a stream: "),
        "{worker}"
    );
    let nobody = refused(Address::new("nats://127.0.0.1:1"));
    assert!(
        nobody.starts_with("cannot connect to nats://127.0.0.1:1: "),
        "{nobody}"
    );
}
