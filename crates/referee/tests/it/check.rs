//! The grader: right programs pass every case, wrong ones fail the right ones.

use referee::check::{CheckOptions, CheckReport, Subject, check};
use referee::{Limits, Seconds};

use crate::table::faulty;

fn grade(subject: Subject, mode: &str, only: Option<&str>) -> CheckReport {
    let options = CheckOptions {
        generated: 6,
        only: only.map(Into::into),
        // Only what the tests wait for in vain takes long.
        limits: Limits {
            wall: Some(Seconds::from_secs(4)),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let command = faulty(referee::Kind::Argv, mode).command.0;
    let mut seen = 0;
    let report = check(subject, &command, &options, &mut |_| seen += 1).unwrap();
    assert_eq!(seen, report.cases.len());
    report
}

fn failed(report: &CheckReport) -> Vec<&str> {
    let failed = report.cases.iter().filter(|case| !case.passed());
    failed.map(|case| case.name.as_str()).collect()
}

#[track_caller]
fn check_passes(subject: Subject, mode: &str) {
    let report = grade(subject, mode, None);
    assert!(report.all_passed(), "{:#?}", failed(&report));
    assert!(report.cases.len() > 30);
    let mut names: Vec<_> = report.cases.iter().map(|case| &case.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), report.cases.len(), "names are unique");
}

#[test]
fn right_dialogues_pass() {
    check_passes(Subject::Reversi, "reversi-program");
    check_passes(Subject::Gipf, "gipf-program");
}

#[test]
fn dialogues_in_pieces_pass() {
    for (subject, mode, only) in [
        (Subject::Reversi, "reversi-trickle", "at-once"),
        (Subject::Reversi, "reversi-trickle", "game-"),
        (Subject::Gipf, "gipf-trickle", "game-"),
        (Subject::Gipf, "gipf-trickle", "unterminated-"),
    ] {
        let report = grade(subject, mode, Some(only));
        assert!(!report.cases.is_empty(), "{mode} {only}");
        assert!(report.all_passed(), "{mode}: {:#?}", failed(&report));
    }
}

#[test]
fn output_that_is_held_back_fails() {
    let report = grade(Subject::Reversi, "reversi-buffered", Some("at-once"));
    assert_eq!(failed(&report), ["answers-at-once"]);
    // It is waited for half of the time that the dialogue has.
    let what = &report.cases[0].failure.as_ref().unwrap().what;
    assert!(what.ends_with("over 2.000 s"), "{what}");
}

#[test]
fn the_first_wrong_line_is_told() {
    let report = grade(Subject::Reversi, "garbage", Some("one-move"));
    let failure = report.cases[0].failure.as_ref().unwrap();
    let difference = failure.difference.as_ref().unwrap();
    assert_eq!(difference.line, 1);
    assert_eq!(difference.expected.as_deref(), Some("--------1"));
    assert_eq!(difference.actual.as_deref(), Some("I think c4 is nice"));
}

#[test]
fn a_careless_othello_player_fails_only_on_bad_input() {
    let report = grade(Subject::Othello, "honest", None);
    for name in failed(&report) {
        assert!(name.starts_with("refuse-"), "{name}");
    }
    // It crashes on no arguments, and plays on with an unknown colour.
    assert!(failed(&report).contains(&"refuse-colour-3"));
    let report = grade(Subject::Othello, "illegal", Some("start-black"));
    assert_eq!(
        report.cases[0].failure.as_ref().unwrap().what,
        "illegal move a1 (not adjacent to a white disc)"
    );
}

#[test]
fn a_careless_pawns_player_fails_on_bad_files_and_size() {
    let report = grade(Subject::Mmpawns, "honest", None);
    for name in failed(&report) {
        assert!(
            name.starts_with("refuse-") || name == "program-size",
            "{name}"
        );
    }
    let report = grade(Subject::Mmpawns, "new-file", Some("example"));
    assert_eq!(
        report.cases[0].failure.as_ref().unwrap().what,
        "created plan.txt"
    );
}

#[test]
fn the_same_seed_gives_the_same_cases() {
    let inputs = |seed| {
        let options = CheckOptions {
            seed,
            generated: 3,
            only: Some("game-".into()),
            ..CheckOptions::default()
        };
        let report = check(Subject::Reversi, &["true".into()], &options, &mut |_| ()).unwrap();
        let cases = report.cases.into_iter().map(|case| case.input);
        cases.collect::<Vec<_>>()
    };
    assert_eq!(inputs(5), inputs(5));
    assert_ne!(inputs(5), inputs(6));
}
