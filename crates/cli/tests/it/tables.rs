//! Tables of solved variants, from the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::waiting::wait_until;

fn ludex(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).current_dir(folder);
    command.env_remove("LUDEX_TABLES");
    command
}

/// What a command prints that must succeed.
#[track_caller]
fn output(folder: &Path, arguments: &[&str]) -> String {
    let output = ludex(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of an error, and the exit status.
fn error(output: &Output) -> (String, Option<i32>) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    (text, output.status.code())
}

/// The files of a table, but for the list, which tells the time that was needed.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "manifest.json")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// One wrong byte, and there is no answer.
#[test]
fn a_damaged_table_answers_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("small");
    output(
        place.path(),
        &["solve", "gipf", "2", "2", "4", "4", "--table", "small"],
    );
    output(place.path(), &["query", "gipf", "small"]);
    for (name, mut bytes) in files(&folder) {
        if let Some(byte) = bytes.last_mut() {
            *byte ^= 1;
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let (text, status) = error(
        &ludex(place.path(), &["query", "gipf", "small"])
            .output()
            .unwrap(),
    );
    assert!(text.contains("checksum"), "{text}");
    assert_ne!(status, Some(0));
}

/// Killed without warning, over and over and ever later, a solve goes on and ends with the
/// same files.
#[test]
fn a_killed_solve_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let variant = ["solve", "gipf", "2", "2", "9", "9", "--threads", "2"];
    output(
        place.path(),
        &[&variant[..], &["--table", "whole"]].concat(),
    );
    let resume = [&variant[..], &["--table", "killed", "--resume"]].concat();
    let mut kills = 0;
    loop {
        let mut solve = ludex(place.path(), &resume)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(4 * kills));
        match solve.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => {
                solve.kill().unwrap();
                solve.wait().unwrap();
                kills += 1;
            }
        }
    }
    assert!(kills > 0);
    let [whole, killed] = ["whole", "killed"].map(|name| files(&place.path().join(name)));
    assert_eq!(
        whole.keys().collect::<Vec<_>>(),
        killed.keys().collect::<Vec<_>>()
    );
    assert!(whole == killed, "some file differs after {kills} kills");
}

#[test]
fn a_table_is_solved_by_one_process_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let solve = ["solve", "gipf", "3", "3", "6", "6", "--threads", "1"];
    let solve = [&solve[..], &["--table", "one", "--resume"]].concat();
    let mut first = ludex(place.path(), &solve)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the table is begun", || {
        assert_eq!(first.try_wait().unwrap(), None, "it has ended");
        place.path().join("one/manifest.json").exists()
    });
    let second = ludex(place.path(), &solve).output().unwrap();
    let (text, status) = error(&second);
    assert_eq!(text, "ludex: one: another process is working on it\n");
    assert_ne!(status, Some(0));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_table_answers() {
    let place = tempfile::tempdir().unwrap();
    let solved = output(place.path(), &["solve", "gipf", "2", "2", "5", "5"]);
    assert!(solved.contains("positions  613 "), "{solved}");
    let table = "gipf-2-2-5-5.table";
    let proof = output(place.path(), &["table", "verify", table]);
    assert!(proof.contains("all 613 values follow"), "{proof}");
    let answer = output(place.path(), &["query", "gipf", table]);
    assert!(answer.contains("draw: neither side can force a win"));
    for (position, expected) in [
        ("2 2 x 5", "white stones \"x\""),
        ("2 2 9 9", "cannot arise"),
    ] {
        let asked = ["query", "gipf", table, position];
        let (text, status) = error(&ludex(place.path(), &asked).output().unwrap());
        assert!(text.contains(expected), "{text}");
        assert_eq!(status, Some(2));
    }

    let tier = place.path().join(table).join("tier-5-5");
    let values = fs::read(&tier).unwrap();
    fs::write(&tier, &values[1..]).unwrap();
    for command in [["query", "gipf", table], ["table", "verify", table]] {
        let (text, status) = error(&ludex(place.path(), &command).output().unwrap());
        assert!(text.contains("tier-5-5"), "{text}");
        assert_eq!(status, Some(2));
    }
}

#[test]
fn a_loss_estimate_is_fitted_to_a_table() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    output(folder, &["solve", "gipf", "3", "3", "5", "4"]);
    output(folder, &["solve", "gipf", "2", "2", "4", "4"]);
    let train = |out: &'static str, more: &[&'static str]| {
        let arguments = ["train", "gipf-move-ordering", "--every", "1", "--out", out];
        [&arguments, more].concat()
    };
    let text = output(folder, &train(".", &["gipf-3-3-5-4.table"]));
    assert!(text.starts_with("loss estimate: "), "{text}");
    let pairs = fs::read(folder.join("3-3.pairs")).unwrap();
    assert!(pairs.iter().any(|&byte| byte != 0));
    let order = fs::read_to_string(folder.join("3-3.txt")).unwrap();
    assert!(order.contains("\nlead 1 "), "{order}");
    // Another table, or a position that is won, is not for it; nor is a folder that is not there.
    for (out, more, wrong) in [
        ("nowhere", &["gipf-3-3-5-4.table"][..], "nowhere"),
        (".", &["gipf-2-2-4-4.table"], "gipf-2-2-4-4.table"),
        (".", &["--climb", "1", "--position", "3 4 5 5"], "3 4 5 5"),
        (".", &["--climb", "1", "--position", "3 3 4 4"], "tie"),
    ] {
        let output = ludex(folder, &train(out, more)).output().unwrap();
        let (text, code) = error(&output);
        assert!(text.contains(wrong) && code == Some(2), "{text} {code:?}");
    }
}

#[test]
fn first_proof_numbers_are_fitted_to_a_table() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    output(folder, &["solve", "gipf", "3", "4", "5", "5"]);
    output(folder, &["solve", "gipf", "2", "2", "4", "4"]);
    let train = |table: &'static str, more: &[&'static str]| {
        let small = [
            "--positions",
            "30",
            "--nodes",
            "300",
            "--out",
            "initial.txt",
        ];
        [&["train", "gipf-proof-numbers", table], &small[..], more].concat()
    };
    let text = output(
        folder,
        &train("gipf-3-4-5-5.table", &["--variant", "3 4 5 5"]),
    );
    assert!(text.starts_with("positions "), "{text}");
    let weights = fs::read_to_string(folder.join("initial.txt")).unwrap();
    assert_eq!(weights.lines().count(), 205);
    let fitted = weights.lines().filter(|line| !line.ends_with(" 0 0"));
    assert!(fitted.count() > 9, "{weights}");
    for (table, more, wrong) in [
        ("gipf-2-2-4-4.table", &[][..], "gipf-2-2-4-4.table"),
        ("gipf-3-4-5-5.table", &["--variant", "3 3 5 5"], "3 3 5 5"),
        ("nowhere", &[], "nowhere"),
    ] {
        let output = ludex(folder, &train(table, more)).output().unwrap();
        let (text, code) = error(&output);
        assert!(text.contains(wrong) && code == Some(2), "{text} {code:?}");
    }
}
