//! Cases are drawn for every version: who knows those of others knows nothing.

use std::sync::atomic::AtomicBool;

use course::grades::detail;
use course::judge::Cases;
use course::store::{State, StepName, VersionRow};
use handin::Upload;
use referee::check::{Candidate, CaseResult, CheckOptions, Checker, Subject};
use referee::{Limits, Seconds};

use crate::Class;

const DIALOGUE: &str = r#"
name = "Games 101"

[[assignment]]
id = "reversi"
title = "The dialogue of Reversi"
program = "reversi"

# Nothing here must pass in time.
[assignment.limits]
wall = "2 s"

[assignment.check]
generated = 2

[assignment.grade]
cases = 50
"#;

/// Tries the random dialogues of a seed on a program.
fn try_games(seed: u64, candidate: &Candidate, observe: &mut dyn FnMut(&CaseResult)) {
    let options = CheckOptions {
        seed,
        generated: 2,
        only: Some("game-".into()),
        limits: Limits {
            wall: Some(Seconds::from_secs(600)),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let checker = Checker::new(Subject::Reversi, &options).unwrap();
    checker
        .check(candidate, observe, &AtomicBool::new(false))
        .unwrap();
}

/// A program that knows no rule: it looks up the random dialogues of a seed.
fn looks_up(seed: u64) -> String {
    let mut known = String::new();
    let mut learn = |case: &CaseResult| {
        let bytes = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!("{b},")).collect() };
        let (input, output) = (bytes(&case.input), bytes(case.expected.as_ref().unwrap()));
        known += &format!("{{(char[]){{{input}0}}, (char[]){{{output}0}}}},\n");
    };
    try_games(seed, &Candidate::new(&["true".into()]), &mut learn);
    format!(
        "#include <stdio.h>\n#include <string.h>\n\
        static char *known[][2] = {{\n{known}}};\n\
        static char input[1 << 20];\n\
        int main(void) {{\n\
            fread(input, 1, sizeof input - 1, stdin);\n\
            for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)\n\
                if (!strcmp(input, known[i][0])) fputs(known[i][1], stdout);\n\
            return 0;\n\
        }}\n"
    )
}

/// How the random dialogues of a version went, and the command that grades it in the same way.
fn games(class: &Class, version: &VersionRow) -> (Vec<(String, bool)>, String) {
    let steps = class.open_course.store.steps(version.id).unwrap();
    let graded = steps.iter().find(|step| step.name == StepName::Graded);
    let detail = detail(graded.unwrap());
    let Cases { all, .. } = detail.cases.unwrap();
    let games = all
        .into_iter()
        .filter(|(name, ..)| name.starts_with("game-"));
    (
        games.map(|(name, _, passed)| (name, passed)).collect(),
        detail.command,
    )
}

#[test]
fn a_table_of_known_cases_passes_no_case_that_is_drawn() {
    let class = Class::with(DIALOGUE);
    let hand_in = |class: &Class, login: &str, text: &str| {
        let upload = Upload {
            name: "table.c".into(),
            bytes: text.into(),
        };
        class.upload(login, &[upload]).unwrap()
    };
    let text = looks_up(1);
    let version = hand_in(&class, "a", &text);
    class.judge();
    assert_eq!(class.state(&version), State::Failed(StepName::Graded));
    let (first, command) = games(&class, &version);
    assert_eq!(first.len(), 2);
    assert!(first.iter().all(|(_, passed)| !passed), "{first:?}");
    // It does know those of the seed in the file.
    let table = Candidate {
        folder: Some(class.open_course.folder(&version).join("built")),
        ..Candidate::new(&["./program".into()])
    };
    let mut known = 0;
    try_games(1, &table, &mut |case| known += usize::from(case.passed()));
    assert_eq!(known, 2);
    // What was shown of them helps with them at home, and with no other files.
    let seed = command.split(' ').nth(4).unwrap().parse().unwrap();
    let class = class.restarted();
    let learned = hand_in(&class, "a", &looks_up(seed));
    let same = hand_in(&class, "b", &text);
    class.judge();
    let (drawn, _) = games(&class, &learned);
    assert!(drawn.iter().all(|(_, passed)| !passed), "{drawn:?}");
    assert_ne!(first[0].0, drawn[0].0);
    // The same files meet the same cases, also after a restart.
    assert_eq!(games(&class, &same), (first, command));
    // Another course draws others.
    let other = Class::with(DIALOGUE);
    let elsewhere = hand_in(&other, "a", &text);
    other.judge();
    assert_ne!(games(&other, &elsewhere), games(&class, &same));
}
