//! A course whose games are played and whose programs are graded on workers of a real server.

#[path = "../../../cluster/tests/it/server.rs"]
mod server;
#[path = "../../../cluster/tests/it/thread_worker.rs"]
mod thread_worker;

use std::sync::Arc;

use cluster::{Cluster, Status};
use course::store::{Side, State};
use tournament::GameFilter;

use self::server::Server;
use self::thread_worker::ThreadWorker;
use super::{COURSE, Class};

/// A worker of a server.
fn worker(server: &Server) -> ThreadWorker {
    ThreadWorker::start("lab", server.worker(), server.place("lab"))
}

/// The same course, on the workers of a server.
fn with_workers(class: Class, server: &Server) -> Class {
    class.reopened(async |open_course| {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let cluster = cluster.with_say(Arc::new(|line| eprintln!("course: {line}")));
        open_course.with_workers(Arc::new(cluster)).await.unwrap()
    })
}

/// How many pieces of work the worker has done.
fn finished(class: &Class, server: &Server) -> u64 {
    class.block_on(async {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let status = Status::ask(cluster.link()).await.unwrap();
        status.workers[0].finished
    })
}

#[test]
fn games_and_grades_come_from_workers() {
    let Some(server) = Server::start() else {
        return;
    };
    let worker = worker(&server);
    let class = with_workers(Class::new(), &server);
    let good = class.hand_in("a", "good.c").unwrap();
    let other = class.hand_in("b", "other.c").unwrap();
    let wrong = class.hand_in("d", "wrong.c").unwrap();
    class.judge();
    assert_eq!(class.state(&good), State::Passed);
    assert_eq!(class.state(&other), State::Passed);
    assert!(matches!(class.state(&wrong), State::Failed(_)));
    let open_course = &class.open_course;
    let references = ["random", "greedy"].map(|name| Side::Reference(name.into()));
    let versions = [Side::Version(good.id), Side::Version(other.id)];
    let sides = [versions, references].concat();
    class.work_until("a ladder game", |open_course| {
        let games = open_course.store.ladder_games("othello", &sides, 0);
        !games.unwrap().is_empty()
    });
    // Three were graded, two tried out in three games each, and a pair of the ladder played.
    let finished = finished(&class, &server);
    assert!(finished > 3 + 6, "{finished}");
    // A final, whose records say where it was played.
    let assignment = &open_course.course.assignments[0];
    open_course.freeze(assignment, None).unwrap();
    class.work_until("the end of the final", |open_course| {
        let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
        finals[0].finished
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    let tournament = finals[0].tournament.clone().unwrap();
    class.block_on(async {
        let all = GameFilter::default();
        let rows = open_course.finals.games(&tournament, &all).await.unwrap();
        assert!(!rows.is_empty());
        for row in rows {
            let record = open_course.finals.record(&row.id).await.unwrap().unwrap();
            assert_eq!(record.machine.unwrap().worker, "lab");
        }
    });
    drop(worker);
}

#[test]
fn challenges_are_played_by_workers() {
    let Some(server) = Server::start() else {
        return;
    };
    let worker = worker(&server);
    let text = COURSE.replace("[assignment.ladder]", "[assignment.ladder]\non = false");
    let class = with_workers(Class::with(&text), &server);
    let good = class.hand_in("a", "good.c").unwrap();
    class.judge();
    assert_eq!(class.state(&good), State::Passed);
    // It was graded, and played three games.
    let before = finished(&class, &server);
    assert!(before >= 4, "{before}");
    let open_course = &class.open_course;
    let anna = class.person("a");
    let opponent = Side::Reference("greedy".into());
    let assignment = &open_course.course.assignments[0];
    open_course.challenge(&anna, assignment, &opponent).unwrap();
    class.work_until("a challenge", |open_course| {
        open_course.store.open_challenges().unwrap().is_empty()
    });
    let challenges = open_course
        .store
        .challenges_of(anna.team, "othello")
        .unwrap();
    assert_eq!(challenges[0].problem, None);
    let game = open_course.store.game(challenges[0].game.unwrap());
    assert_eq!(game.unwrap().unwrap().purpose, "challenge");
    assert_eq!(finished(&class, &server), before + 1);
    drop(worker);
}
