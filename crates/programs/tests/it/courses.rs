//! The example courses, end to end: a right and a wrong program is handed in for each, and gets
//! its verdict, its rating, its final and its grade.

use std::path::Path;

use course::grades::Grade;
use course::store::{State, StepName, VersionRow};
use course::{OpenCourse, Side};
use handin::Upload;

use crate::class::Class;
use crate::fixtures::upload;

/// An example with few cases and games, and with time enough on any machine.
fn example(name: &str) -> Class {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/courses");
    let text = std::fs::read_to_string(path.join(name).join("course.toml")).unwrap();
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        match line.split(' ').next() {
            Some("generated") => lines.push("generated = 2"),
            Some("games") => lines.push("games = 2"),
            Some("wall" | "[assignment.limits]") => {}
            // The bots that take their time.
            _ if line.starts_with("bot = \"alphabeta") => lines.push("bot = \"minimax:1\""),
            Some("[assignment.check]") => {
                lines.extend(["[assignment.limits]", "wall = \"60 s\"", "", line]);
            }
            _ => lines.push(line),
        }
    }
    let text = lines.join("\n").replace("memory = \"256 MB\"\n", "");
    Class::with(&text)
}

/// One of our own programs as a ready executable.
fn executable(path: &str) -> Upload {
    Upload {
        name: "program".into(),
        bytes: std::fs::read(path).unwrap(),
    }
}

fn steps(class: &Class, version: &VersionRow) -> String {
    let steps = class.open_course.store.steps(version.id).unwrap();
    let lines = steps
        .iter()
        .map(|step| format!("{}: {} {}", step.name.name(), step.summary, step.detail));
    lines.collect::<Vec<_>>().join("\n")
}

fn grade(class: &Class, login: &str) -> Grade {
    let assignment = &class.open_course.course.assignments[0];
    let grades = class
        .block_on(class.open_course.grades(assignment))
        .unwrap();
    grades[&class.person(login).team].clone()
}

/// Anna's program is right, Dan's is wrong: verdicts and points.
fn judged(class: &Class, right: Upload) -> VersionRow {
    let right = class.upload("a", &[right]).unwrap();
    let wrong = class.hand_in("d", "wrong.c").unwrap();
    class.judge();
    assert_eq!(
        class.state(&right),
        State::Passed,
        "{}",
        steps(class, &right)
    );
    assert_eq!(
        class.state(&wrong),
        State::Failed(StepName::Graded),
        "{}",
        steps(class, &wrong)
    );
    let cases = class.open_course.course.assignments[0].grade.cases;
    let (good, bad) = (grade(class, "a"), grade(class, "d"));
    assert_eq!(good.lines[0].points, cases, "{good:?}");
    assert!(bad.lines[0].points < cases / 2.0, "{bad:?}");
    right
}

/// The same, and Bo's plays as well: the ladder, a final and its points.
fn played(class: &Class, right: Upload, other: Upload) {
    let right = judged(class, right);
    let other = class.upload("b", &[other]).unwrap();
    let rated = |open_course: &OpenCourse| {
        let table = open_course
            .fresh_table(&open_course.course.assignments[0])
            .unwrap();
        let versions = &table.players[table.references..];
        versions.len() == 2 && versions.iter().all(|player| player.results.games() >= 2)
    };
    class.work_until("rated", rated);
    let (open_course, assignment) = (&class.open_course, &class.open_course.course.assignments[0]);
    open_course.freeze(assignment, None).unwrap();
    class.work_until("over", |open_course| {
        let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
        finals[0].finished
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    let standings = finals[0].standings.as_ref().unwrap();
    let mut names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [right.id, other.id].map(|id| Side::Version(id).key())
    );
    assert!(
        standings.rows.iter().all(|row| row.faults == 0),
        "{standings:?}"
    );
    let bonus = |login: &str| grade(class, login).lines.last().unwrap().points;
    assert_eq!(bonus("a") + bonus("b"), assignment.grade.rank_bonus);
}

#[test]
fn reversi_in_c() {
    judged(&example("reversi-c"), upload("reversi.c"));
    // Other languages are not taken there.
    let class = example("reversi-c");
    let python = Upload {
        name: "main.py".into(),
        bytes: b"print()".to_vec(),
    };
    let refused = class.upload("a", &[python]).unwrap_err();
    assert_eq!(refused.lines().count(), 1, "{refused}");
}

#[test]
fn reversi_in_any_language() {
    let program = executable(env!("CARGO_BIN_EXE_reversi"));
    judged(&example("reversi-any"), program);
}

#[test]
fn gipf() {
    judged(&example("gipf"), executable(env!("CARGO_BIN_EXE_gipf")));
}

#[test]
fn othello() {
    played(&example("othello"), upload("good.c"), upload("other.c"));
}

#[test]
fn mmpawns() {
    let program = || upload("mmpawns.c");
    played(&example("mmpawns"), program(), program());
}
