//! Programs that do not start, or not at once, and whose fault that is.

use std::fs;

use referee::{GameSetup, IsolationMode, Kind, Score};

use crate::table::{BOTH, faulty, first_verdict, folder_with, othello, play};

/// A process that another thread starts inherits what is being written, and holds it open until
/// it executes its own program: the file of a program that was just copied may be busy for a moment.
#[test]
fn a_file_that_is_busy_for_a_moment_is_waited_for() {
    for isolation in BOTH {
        let folder = folder_with(&format!("busy-{isolation}"), "notes.txt", "mine");
        let program = folder.join("program");
        let mut player = faulty(Kind::Argv, "exit-3");
        fs::copy(&player.command.0[0], &program).unwrap();
        player.command.0[0] = program.to_str().unwrap().into();
        let held = fs::OpenOptions::new().append(true).open(&program).unwrap();
        let setup = GameSetup {
            longest: 1,
            ..othello(&player, isolation)
        };
        let verdict = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(20));
                drop(held);
            });
            first_verdict(&setup)
        });
        assert_eq!(verdict, "exit status 3", "under {isolation}");
    }
}

/// Every game copies its program's folder, and starts programs while others are copied.
#[test]
fn programs_that_are_copied_at_the_same_time_are_never_busy() {
    let folder = folder_with("copied", "notes.txt", "mine");
    let mut player = faulty(Kind::Argv, "exit-3");
    fs::copy(&player.command.0[0], folder.join("program")).unwrap();
    player.command.0[0] = "./program".into();
    player.folder = Some(folder);
    std::thread::scope(|scope| {
        for isolation in [IsolationMode::Bwrap, IsolationMode::None].repeat(2) {
            let setup = GameSetup {
                longest: 1,
                ..othello(&player, isolation)
            };
            scope.spawn(move || {
                for _ in 0..10 {
                    match referee::play_game(&setup, &mut |_| (), &Default::default()) {
                        Ok(record) => {
                            let verdict = record.moves[0].verdict.to_string();
                            assert_eq!(verdict, "exit status 3", "under {isolation}");
                        }
                        Err(error) => return println!("skipped: {error}"),
                    }
                }
            });
        }
    });
}

#[test]
fn programs_that_are_not_there() {
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0[0] = "./no/such/program".into();
    let verdict = first_verdict(&othello(&player, IsolationMode::Auto));
    assert_eq!(verdict, "cannot start: ./no/such/program: no such program");
    let text = folder_with("text", "text", "not a program");
    player.command.0[0] = text.join("text").display().to_string();
    let verdict = first_verdict(&othello(&player, IsolationMode::Auto));
    assert!(
        verdict.starts_with("cannot start: Permission denied"),
        "{verdict}"
    );
}

/// `bwrap` stands between: what it could not start never ran, whatever its own status.
#[test]
fn what_bwrap_does_not_start_has_no_status() {
    let text = folder_with("text", "text", "not a program");
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0[0] = text.join("text").display().to_string();
    for (folder, expected) in [(None, "cannot-start"), (Some(text), "not-started")] {
        player.folder = folder;
        let setup = othello(&player, IsolationMode::Bwrap);
        match referee::play_game(&setup, &mut |_| (), &Default::default()) {
            Ok(record) => {
                let verdict = &record.moves[0].verdict;
                assert_eq!(verdict.kind(), expected, "{verdict}");
                assert!(
                    verdict.to_string().contains("Permission denied"),
                    "{verdict}"
                );
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
}

/// The player's folder says that the program comes with the machine.
#[test]
fn an_interpreter_that_is_not_installed_is_no_fault_of_the_program() {
    let folder = folder_with("interpreted", "bot.x", "");
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0 = ["no-such-interpreter", "bot.x", "token"]
        .map(String::from)
        .into();
    player.folder = Some(folder);
    let record = play(&othello(&player, IsolationMode::Auto));
    let what = "no result: the machine could not start a program: \
                no-such-interpreter: no such program";
    assert_eq!(record.ending.to_string(), what);
    assert_eq!(record.score, Score::None);
    assert_eq!(record.faults(rules::Side::First).count(), 0);
}

/// A referee that can open no more files judges nobody.
#[test]
fn nobody_is_blamed_for_a_machine_that_starts_nothing() {
    let program = &faulty(Kind::Argv, "honest").command.0[0];
    let mut command = std::process::Command::new(program);
    let said = command.arg("starved-referee").output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout);
    let errors = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{errors}");
    let reason = "the machine could not start a program: Too many open files (os error 24)";
    let game = format!("no result: {reason}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, [&game, &game, reason].repeat(2), "{errors}");
}
