//! What happens to versions.

use std::collections::HashMap;

use course::grades::detail;
use course::store::{State, Step, StepName, VersionRow};
use handin::Upload;

use crate::{COURSE, Class};

#[test]
fn versions_are_built_graded_and_played() {
    let class = Class::new();
    let good = class.hand_in("a", "good.c").unwrap();
    let wrong = class.hand_in("b", "wrong.c").unwrap();
    let broken = class.hand_in("d", "broken.c").unwrap();
    assert_eq!((good.number, good.language.as_str()), (1, "C"));
    class.judge();
    let store = &class.open_course.store;
    let told = |id: i64| {
        let steps = store.steps(id).unwrap();
        steps
            .into_iter()
            .map(|step| step.summary)
            .collect::<Vec<_>>()
    };
    assert_eq!(class.state(&good), State::Passed, "{:?}", told(good.id));
    assert_eq!(
        class.state(&wrong),
        State::Failed(StepName::Graded),
        "{:?}",
        told(wrong.id)
    );
    assert_eq!(
        class.state(&broken),
        State::Failed(StepName::Built),
        "{:?}",
        told(broken.id)
    );

    let steps = store.steps(broken.id).unwrap();
    let failed = detail(&steps[0]);
    assert!(failed.log.contains("no_such_thing"), "{failed:?}");
    assert!(failed.command.contains("gcc"), "{failed:?}");
    let steps = store.steps(wrong.id).unwrap();
    let cases = detail(&steps[1]).cases.unwrap();
    assert!(cases.passed < cases.cases && !cases.failures.is_empty());
    assert!(
        cases.failures[0].reproduce.starts_with("./program"),
        "{cases:?}"
    );
    // One game against itself and one against each reference; the ladder may have begun.
    let games = store.games_of(good.id, 50).unwrap();
    let trials = games.iter().filter(|game| game.purpose == "trial").count();
    assert_eq!(trials, 3);
    let active = store.active("othello").unwrap();
    assert_eq!(active.iter().map(|v| v.id).collect::<Vec<_>>(), [good.id]);

    // A version that fails never replaces the one that plays.
    let worse = class.hand_in("a", "wrong.c").unwrap();
    assert_eq!(worse.number, 2);
    class.judge();
    assert_eq!(store.active("othello").unwrap()[0].id, good.id);
}

#[test]
fn faults_in_play_are_kept_with_their_evidence() {
    let text = COURSE.replace("generated = 2", "generated = 2\npass = 0");
    let class = Class::with(&text);
    let wrong = class.hand_in("a", "wrong.c").unwrap();
    class.judge();
    assert_eq!(class.state(&wrong), State::Failed(StepName::Played));
    let store = &class.open_course.store;
    let games = store.faults_of(wrong.id, 10).unwrap();
    assert_eq!(games.len(), 3);
    let record = store.record(games[0].id).unwrap().unwrap();
    let fault = record
        .moves
        .iter()
        .find(|turn| turn.verdict.is_fault())
        .unwrap();
    assert_eq!(fault.input.args.len(), 9);
    assert_eq!(fault.answer.to_string().trim(), "0,0");
    assert_eq!(fault.stderr.to_string().trim(), "thinking");
}

#[test]
fn the_same_files_and_too_many_are_refused() {
    let class = Class::new();
    class.hand_in("b", "good.c").unwrap();
    // Whoever of the team hands in.
    let again = class.hand_in("c", "good.c").unwrap_err();
    assert_eq!(again, "these are the very files of version 1");
    for number in 0..4 {
        let bytes = format!("int main(void) {{ return {number}; }}").into_bytes();
        let upload = Upload {
            name: "x.c".into(),
            bytes,
        };
        class.upload("b", &[upload]).unwrap();
    }
    let many = class.hand_in("c", "other.c").unwrap_err();
    assert_eq!(many, "5 hand-ins in 24 hours are all that a team has here");
    // Others are not concerned.
    class.hand_in("a", "good.c").unwrap();
}

#[test]
fn what_is_no_program_is_refused_in_one_line() {
    let class = Class::new();
    let upload = |name: &str, bytes: &[u8]| Upload {
        name: name.into(),
        bytes: bytes.into(),
    };
    for uploads in [
        vec![],
        vec![upload("notes.txt", b"hello")],
        vec![upload("x.zip", b"PK nonsense")],
    ] {
        let refused = class.upload("a", &uploads).unwrap_err();
        assert!(
            !refused.contains('\n') && !refused.contains(class.folder.path().to_str().unwrap()),
            "{refused}"
        );
    }
    assert!(
        class
            .open_course
            .store
            .versions(class.person("a").team, "othello")
            .unwrap()
            .is_empty()
    );
    let incoming = class.folder.path().join("incoming");
    assert_eq!(std::fs::read_dir(incoming).unwrap().count(), 0);
}

#[test]
fn deadlines_are_kept_and_extensions_respected() {
    let text = COURSE.replace(
        "hand-ins-per-day",
        "deadline = 2020-01-01T00:00:00Z\nhand-ins-per-day",
    );
    let class = Class::with(&text);
    let late = class.hand_in("a", "good.c").unwrap_err();
    assert_eq!(late, "the deadline was 2020-01-01 00:00 UTC");
    let text = COURSE.replace(
        "hand-ins-per-day",
        "opens = 2999-01-01T00:00:00Z\nhand-ins-per-day",
    );
    let class = Class::with(&text);
    let early = class.hand_in("a", "good.c").unwrap_err();
    assert_eq!(early, "hand-ins are taken from 2999-01-01 00:00 UTC on");
}

#[test]
fn nothing_handed_in_is_lost_by_a_restart() {
    let class = Class::new();
    let version = class.hand_in("a", "good.c").unwrap();
    // A machine that stopped before the row was written has left a folder.
    let orphan = class
        .folder
        .path()
        .join("versions")
        .join(format!("{}-x", version.id + 1));
    std::fs::create_dir_all(orphan.join("sources")).unwrap();
    let class = class.restarted();
    assert_eq!(class.state(&version), State::Before(StepName::Built));
    let sources = class.open_course.folder(&version).join("sources/good.c");
    assert!(sources.is_file());
    assert_eq!(
        handin::hash(sources.parent().unwrap()).unwrap(),
        version.hash
    );
    // Stopped in the middle of it, it is taken up again.
    class.work_until("built", |open_course| {
        let version = open_course.store.version(version.id).unwrap().unwrap();
        version.state != State::Before(StepName::Built)
    });
    let class = class.restarted();
    let next = class.hand_in("d", "other.c").unwrap();
    class.judge();
    for version in [version, next] {
        let steps = class.open_course.store.steps(version.id).unwrap();
        assert_eq!(class.state(&version), State::Passed, "{steps:?}");
    }
}

#[test]
fn what_a_power_failure_spoils_of_a_build_is_built_again() {
    let class = Class::new();
    let version = class.hand_in("a", "good.c").unwrap();
    let store = &class.open_course.store;
    let built = Step {
        name: StepName::Built,
        at: 1,
        seconds: 0.0,
        ok: true,
        summary: String::new(),
        detail: String::new(),
    };
    store.add_step(version.id, &built, &[], false).unwrap();
    // The row was on the disk, what stands in the file was not.
    std::fs::write(class.open_course.folder(&version).join("built.json"), "").unwrap();
    class.judge();
    let steps = store.steps(version.id).unwrap();
    assert_eq!(class.state(&version), State::Passed, "{steps:?}");
    let log = store.audit(100).unwrap();
    let again = log.iter().filter(|line| line.what.contains("built again"));
    assert_eq!(again.count(), 1, "{log:?}");
}

/// Versions of `a`, `b` and `d` that came in this order, and that line when some have been judged.
#[track_caller]
fn line(class: &Class, expected: &str) {
    let store = &class.open_course.store;
    let waiting = store.waiting().unwrap();
    let name = |version: &VersionRow| {
        let people = store.people().unwrap();
        let person = people.iter().find(|person| person.team == version.team);
        format!("{}{}", person.unwrap().login, version.number)
    };
    let names: Vec<String> = waiting.iter().map(name).collect();
    assert_eq!(names.join(" "), expected);
    // What the page says is where it stands.
    for (place, version) in waiting.iter().enumerate() {
        assert_eq!(class.open_course.place(version).unwrap().0, place);
    }
}

#[test]
fn teams_take_turns() {
    let class = Class::new();
    let mut versions = HashMap::new();
    let text = |number: usize| format!("int main(void) {{ return {number}; }}");
    for (number, (login, name)) in (0..).zip([
        ("a", "a1"),
        ("a", "a2"),
        ("a", "a3"),
        ("b", "b1"),
        ("d", "d1"),
        ("b", "b2"),
    ]) {
        let upload = Upload {
            name: "x.c".into(),
            bytes: text(number).into_bytes(),
        };
        versions.insert(name, class.upload(login, &[upload]).unwrap().id);
    }
    line(&class, "a1 b1 d1 a2 b2 a3");
    let mut clock = 1;
    let mut step = |name: &str, step: StepName, ok: bool| {
        clock += 1;
        let step = Step {
            name: step,
            at: clock,
            seconds: 0.0,
            ok,
            summary: String::new(),
            detail: String::new(),
        };
        let store = &class.open_course.store;
        store.add_step(versions[name], &step, &[], false).unwrap();
    };
    step("a1", StepName::Built, false);
    line(&class, "b1 d1 a2 b2 a3");
    step("b1", StepName::Built, false);
    line(&class, "d1 a2 b2 a3");
    // What is under way keeps its turn.
    step("d1", StepName::Built, true);
    step("a2", StepName::Built, false);
    line(&class, "b2 d1 a3");
    step("d1", StepName::Graded, false);
    line(&class, "b2 a3");
}
