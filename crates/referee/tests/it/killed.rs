//! What is left of a game whose referee is killed.

use std::fs;

use referee::{IsolationMode, Kind};

use crate::table::faulty;
use crate::waiting::wait_until;

#[test]
fn a_killed_referee_leaves_nothing_behind() {
    for walls in [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
        IsolationMode::None,
    ] {
        match referee::survey(walls) {
            Ok(_) => check_killed_referee(&walls.to_string()),
            Err(error) => println!("skipped: {error}"),
        }
    }
}

#[track_caller]
fn check_killed_referee(walls: &str) {
    let hanging = faulty(Kind::Argv, "orphan-and-hang");
    let [program, mode, token] = &hanging.command.0[..] else {
        unreachable!("three words")
    };
    // The referee and its supervisors have the first of these tokens, the program the other one.
    let own = format!("own-{token}");
    let referee = |mode: &str, token: &str| {
        let mut command = std::process::Command::new(program);
        command.args(["referee", &own, mode, token, walls]);
        command.spawn().unwrap()
    };
    let mut killed = referee(mode, token);
    // Itself, and three that have left its session.
    wait_until("the program runs", || living(token, mode) == 4);
    killed.kill().unwrap();
    killed.wait().unwrap();
    wait_until("the program is gone", || living(token, mode) == 0);
    wait_until("its supervisor is gone", || living(&own, "referee") == 0);
    // Its folder is removed by the next referee.
    let user = fs::metadata("/proc/self").unwrap();
    let user = std::os::unix::fs::MetadataExt::uid(&user);
    let folders = [0, 1]
        .map(|number| std::env::temp_dir().join(format!("ludex-{user}/{}-{number}", killed.id())));
    let are_left = || folders.iter().any(|folder| folder.exists());
    assert_eq!(are_left(), walls != "namespaces", "{walls}");
    assert!(referee("honest", "after").wait().unwrap().success());
    assert!(!are_left(), "{walls}");
}

/// How many processes with this token and this mode are alive.
fn living(token: &str, mode: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_one = |process: &fs::DirEntry| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.get(1) == Some(&mode.as_bytes()) && words.get(2) == Some(&token.as_bytes())
    };
    processes.filter(is_one).count()
}
