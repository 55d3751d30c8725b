//! What is wrong with the machines, and not with the programs: it ends nothing, and is told once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use course::{OpenCourse, roster};
use referee::check::CheckReport;
use referee::{GameRecord, GameSetup};
use tournament::RunError;
use tournament::runner::{
    Done, Failure, Grading, Job, NoResult, Opening, Pending, RemoteMachines, TaskRunner, Venue,
};

use crate::Class;

/// Machines on which nothing can be played, and a grader that panics.
#[derive(Clone, Debug, Default)]
struct Broken {
    /// How often a final was begun.
    finals: Arc<AtomicUsize>,
}

impl RemoteMachines for Broken {
    fn open<'a>(&'a self, _: Opening<'a>) -> Pending<'a, Result<Box<dyn Venue>, RunError>> {
        self.finals.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(Box::<Aside>::default() as Box<dyn Venue>) })
    }

    fn task_runner<'a>(&'a self, _: &'a str) -> Pending<'a, Result<Arc<dyn TaskRunner>, RunError>> {
        Box::pin(async { Ok(Arc::new(self.clone()) as Arc<dyn TaskRunner>) })
    }
}

impl TaskRunner for Broken {
    fn play(
        &self,
        _: Vec<GameSetup>,
        _: Arc<AtomicBool>,
    ) -> Pending<'_, Result<Vec<GameRecord>, NoResult>> {
        Box::pin(async { Err(NoResult::Machine("no worker answers".into())) })
    }

    fn grade<'a>(
        &'a self,
        _: Grading,
        _: &'a (dyn Fn(usize, usize) + Sync),
        _: Arc<AtomicBool>,
    ) -> Pending<'a, Result<CheckReport, NoResult>> {
        Box::pin(async { panic!("a bug in the grader") })
    }
}

/// A venue that puts every game aside.
#[derive(Default)]
struct Aside(Vec<String>);

impl Venue for Aside {
    fn wants_more(&self) -> bool {
        true
    }

    fn send(&mut self, games: Vec<Job>) -> Pending<'_, Result<(), RunError>> {
        self.0.extend(games.into_iter().map(|job| job.id));
        Box::pin(async { Ok(()) })
    }

    fn next(&mut self) -> Pending<'_, Result<Option<Done>, RunError>> {
        let done = self.0.pop().map(|id| Done {
            id,
            result: Err(Failure::Quarantined("nothing came".into())),
        });
        Box::pin(async { Ok(done) })
    }

    fn stop(self: Box<Self>, _: bool) -> Pending<'static, Vec<Done>> {
        Box::pin(async { Vec::new() })
    }
}

/// A class whose machines are broken.
fn broken(text: &str) -> (Class, Broken) {
    on_broken(Class::with(text))
}

fn on_broken(class: Class) -> (Class, Broken) {
    let machines = Broken::default();
    let class = class.reopened(async |open_course| {
        let machines = Arc::new(machines.clone());
        open_course.with_workers(machines).await.unwrap()
    });
    (class, machines)
}

/// How many lines of the log contain a text.
fn told(open_course: &OpenCourse, text: &str) -> usize {
    let log = open_course.store.audit(1000).unwrap();
    log.iter().filter(|line| line.what.contains(text)).count()
}

#[test]
fn a_panic_is_told_and_ends_nothing() {
    let (class, _) = broken(crate::COURSE);
    let version = class.hand_in("a", "good.c").unwrap();
    class.work_until("told", |open_course| {
        told(open_course, "panicked: a bug in the grader") > 0
    });
    let doing = class.open_course.place(&version).unwrap().1;
    assert_eq!(doing, None);
}

#[test]
fn staff_are_told_that_a_final_waits_for_a_verdict() {
    let class = Class::new();
    crate::ladder::end_extensions(&class);
    class.hand_in("a", "good.c").unwrap();
    // In time, however slow the machine is.
    let (class, _) = on_broken(class.described(&crate::ladder::with_deadline(1000)));
    let waits = "the final of othello waits for verdicts: on version 1";
    class.work_until("told", |open_course| {
        let some = told(open_course, waits) > 0;
        if some {
            std::thread::sleep(Duration::from_millis(2500));
        }
        some
    });
    assert_eq!(told(&class.open_course, waits), 1);
}

#[test]
fn no_more_versions_are_built_at_once_than_there_are_cores() {
    let text = crate::COURSE.replace("hand-ins-per-day = 5", "hand-ins-per-day = 500");
    let (class, _) = broken(&text);
    let cores = tournament::cores();
    let hand_in = |number: usize| {
        let mut upload = crate::fixtures::upload("good.c");
        upload.bytes.extend(format!("// {number}\n").bytes());
        class.upload("a", &[upload]).unwrap()
    };
    let versions: Vec<_> = (0..cores + 3).map(hand_in).collect();
    let most = std::cell::Cell::new(0);
    class.work_until("built", |open_course| {
        let doing = |version| open_course.place(version).unwrap().1;
        let is_built = |doing: Option<String>| doing.as_deref() == Some("being built");
        let at_once = versions.iter().filter(|version| is_built(doing(version)));
        most.set(most.get().max(at_once.count()));
        let steps = |id: i64| open_course.store.steps(id).unwrap();
        versions.iter().all(|version| !steps(version.id).is_empty())
    });
    assert!((1..=cores).contains(&most.get()), "{}", most.get());
}

#[test]
fn a_game_that_the_machine_spoils_is_noted_once_for_each_pair() {
    let (class, _) = broken(crate::COURSE);
    class.passed("a", "good.c");
    let store = &class.open_course.store;
    let spoilt = || store.quarantined(1000).unwrap();
    class.work_until("spoilt", |_| {
        let some = !spoilt().is_empty();
        std::thread::sleep(Duration::from_millis(500));
        some
    });
    let mut pairs: Vec<String> = spoilt()
        .iter()
        .map(|row| row.players.each_ref().map(course::Side::key).join(" "))
        .collect();
    let noted = pairs.len();
    pairs.sort();
    pairs.dedup();
    assert_eq!(noted, pairs.len(), "{pairs:?}");
}

#[test]
fn versions_that_the_machine_cannot_play_are_in_nobodys_way() {
    let class = Class::new();
    let more = roster::read("name,id\nEve,e\nFay,f\n").unwrap();
    class.open_course.store.add(&more).unwrap();
    // They passed once, but cannot be built again.
    for login in ["d", "e", "f"] {
        class.passed(login, "broken.c");
    }
    for (login, file) in [("a", "good.c"), ("b", "other.c")] {
        class.passed(login, file);
    }
    class.work_until("rated", |open_course| {
        let assignment = &open_course.course.assignments[0];
        let table = open_course.fresh_table(assignment).unwrap();
        let games = |player: &course::Contender| player.results.games();
        let versions = &table.players[table.references..];
        versions.iter().filter(|player| games(player) >= 8).count() == 2
    });
    let spoilt = class.open_course.store.quarantined(1000).unwrap();
    assert!(!spoilt.is_empty() && spoilt.len() < 8, "{spoilt:?}");
}

#[test]
fn a_ladder_with_much_to_play_is_not_in_the_way_of_the_next() {
    let (head, assignment) = crate::COURSE.split_once("[[assignment]]").unwrap();
    let long = assignment.replace(
        "games = 8\nprecision = 400",
        "games = 100000\nprecision = 1",
    );
    let second = assignment.replace("id = \"othello\"", "id = \"second\"");
    let class = Class::with(&format!(
        "{head}[[assignment]]{long}\n[[assignment]]{second}"
    ));
    class.passed("a", "good.c");
    let open_course = &class.open_course;
    let second = &open_course.course.assignments[1];
    let (dan, uploads) = (class.person("d"), [crate::fixtures::upload("good.c")]);
    let version = open_course.hand_in(&dan, second, &uploads, &open_course.arriving());
    class.pass(&version.unwrap());
    class.work_until("rated", |open_course| {
        let table = open_course.fresh_table(second).unwrap();
        table.players[table.references].results.games() > 0
    });
}

#[test]
fn a_version_that_cannot_be_built_again_is_left_out_of_a_final_that_staff_begin() {
    let class = Class::new();
    class.passed("d", "broken.c");
    let good = class.passed("a", "good.c");
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    // Nobody decides that by itself.
    let refused = open_course.freeze(assignment, None).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.contains("version 1 cannot be built again"),
        "{refused}"
    );
    assert!(refused.ends_with("; a final that staff begin leaves it out"));
    let staff = class.person("b").id;
    assert_eq!(open_course.freeze(assignment, Some(staff)).unwrap(), 1);
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    let list: Vec<i64> = finals[0].list.iter().map(|row| row.version).collect();
    assert_eq!(list, [good.id]);
    let absent = &finals[0].absent;
    assert!(absent.contains(&class.person("d").team) && !absent.contains(&good.team));
    assert_eq!(
        told(open_course, "final 1 of othello goes without: version 1"),
        1
    );
}

#[test]
fn a_final_that_cannot_go_on_is_left_alone_for_a_while() {
    let text = crate::COURSE.replace("[assignment.ladder]", "[assignment.ladder]\non = false");
    let (class, machines) = broken(&text);
    class.passed("a", "good.c");
    class.passed("b", "other.c");
    let assignment = &class.open_course.course.assignments[0];
    class.open_course.freeze(assignment, None).unwrap();
    class.work_until("told", |open_course| {
        let some = told(open_course, "it waits for games that are put aside") > 0;
        if some {
            std::thread::sleep(Duration::from_secs(3));
        }
        some
    });
    assert_eq!(machines.finals.load(Ordering::Relaxed), 1);
    assert_eq!(told(&class.open_course, "put aside"), 1);
}
