//! Games that belong to no tournament, and grading, on workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cluster::Cluster;
use games::AnyPosition;
use referee::check::{Candidate, CaseResult, CheckOptions, Checker, Subject};
use referee::{GameRecord, GameSetup, Limits, PlayerSpec, Seconds};
use tournament::runner::{Grading, NoResult, RemoteMachines as _, TaskRunner};

use super::block_on;
use super::children::{ACK_WAIT, WorkerArgs};
use super::played::against_a_program;
use super::server::Server;

async fn open(server: &Server, name: &str) -> Result<Arc<dyn TaskRunner>, String> {
    let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
    let cluster = cluster.with_ack_wait(ACK_WAIT);
    cluster
        .task_runner(name)
        .await
        .map_err(|error| error.to_string())
}

/// All of a record that does not depend on the machine.
fn essence(record: &GameRecord) -> String {
    let moves: Vec<_> = record.moves.iter().map(|turn| &turn.mv).collect();
    format!(
        "{:?} {:?} {:?} {:?} {moves:?} {}",
        record.players, record.programs, record.start, record.score, record.ending
    )
}

/// Both games of a pair between a bot and a program.
fn pair(players: &[PlayerSpec]) -> Vec<GameSetup> {
    let [bot, program] = players else {
        panic!("two players")
    };
    [[bot, program], [program, bot]]
        .map(|players| {
            let start = AnyPosition::random_start(games::REVERSI, 3);
            let mut setup = GameSetup::new(start, players.map(Clone::clone));
            setup.limits.wall = None;
            setup
        })
        .into()
}

#[test]
fn games_and_grades_are_those_of_one_machine() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = against_a_program(&server);
    let _worker = WorkerArgs::new(&server, "one").spawn();
    let stop: Arc<AtomicBool> = Arc::default();
    let games = pair(&config.players);
    let folder = server.place("bots");
    let candidate = Candidate {
        command: vec!["./alone".into()],
        folder: Some(folder),
        read: Vec::new(),
    };
    let options = CheckOptions {
        seed: 5,
        generated: 3,
        // However busy the machine is.
        limits: Limits {
            cpu: Some(Seconds::from_secs(1)),
            wall: Some(Seconds::from_secs(300)),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let grading = Grading {
        subject: Subject::Othello,
        seed: options.seed,
        generated: options.generated,
        limits: options.limits,
        candidate: candidate.clone(),
    };
    let (played, report) = block_on(async {
        let tasks = open(&server, "course-one").await.unwrap();
        let refused = open(&server, "course-one").await.unwrap_err();
        assert!(
            refused.starts_with("course-one is being run by "),
            "{refused}"
        );
        let played = tasks.play(games.clone(), stop.clone()).await.unwrap();
        let report = tasks
            .grade(grading, &|_, _| (), stop.clone())
            .await
            .unwrap();
        (played, report)
    });
    assert_eq!(played.len(), 2);
    for (record, setup) in played.iter().zip(&games) {
        assert_eq!(record.machine.as_ref().unwrap().worker, "one");
        let here = referee::play_game(setup, &mut |_| (), &stop).unwrap();
        assert_eq!(essence(record), essence(&here));
    }
    let checker = Checker::new(Subject::Othello, &options).unwrap();
    let here = checker.check(&candidate, &mut |_| (), &stop).unwrap();
    assert_eq!(report.cases.len(), checker.cases());
    // It says what it thinks, which is wrong here and there.
    let known = |report: &referee::check::CheckReport| {
        let cases = report.cases.iter();
        let cause = |case: &CaseResult| case.failure.as_ref().map(|failure| failure.cause.clone());
        let known = cases.map(|case| (case.name.clone(), cause(case)));
        known.collect::<Vec<_>>()
    };
    assert_eq!(known(&report), known(&here));
}

/// Whoever says stop does not wait for workers, and nothing is left behind.
#[test]
fn nobody_waits_after_a_stop() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = against_a_program(&server);
    super::machines::set_reference(&server, 1.0);
    let stop: Arc<AtomicBool> = Arc::default();
    block_on(async {
        let tasks = open(&server, "course-two").await.unwrap();
        let asked = tasks.play(pair(&config.players), stop.clone());
        let wish = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            stop.store(true, Ordering::Relaxed);
        };
        let (ended, ()) = futures_util::future::join(asked, wish).await;
        assert_eq!(ended.unwrap_err(), NoResult::Stopped);
    });
    let status = super::machines::status(&server);
    assert!(status.queues.iter().all(|queue| queue.waiting == 0));
}
