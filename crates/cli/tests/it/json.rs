//! What programs read.

use std::process::Command;

use serde_json::Value;

/// The JSON lines that a command prints.
fn lines(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn perft_counts() {
    let counts = |arguments: &[&str]| -> Vec<u64> {
        lines(arguments)
            .iter()
            .map(|line| line["count"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(
        counts(&["perft", "reversi", "6", "--json"]),
        [4, 12, 56, 244, 1396, 8200]
    );
    assert_eq!(counts(&["perft", "gipf", "1", "--json"]), [30]);
    assert_eq!(counts(&["perft", "gipf", "0", "--json"]), [1]);
}

#[test]
fn moves_tell_everything() {
    let [object] = &lines(&["moves", "reversi", "--json"])[..] else {
        panic!("one line");
    };
    assert_eq!(object["game"], "reversi");
    assert_eq!(object["side"], "Black");
    assert_eq!(object["moves"], serde_json::json!(["d3", "c4", "f5", "e6"]));
    assert_eq!(object["result"], Value::Null);
    let full = format!("{} X", "X".repeat(64));
    let [object] = &lines(&["moves", "reversi", &full, "--json"])[..] else {
        panic!("one line");
    };
    assert_eq!(object["moves"], serde_json::json!([]));
    assert_eq!(object["result"], "Black");
}

#[test]
fn the_rules_are_measured() {
    let figures = lines(&["bench", "rules", "--json"]);
    let subjects: Vec<&str> = figures
        .iter()
        .filter_map(|figure| figure["bench"].as_str()?.split(':').next())
        .collect();
    assert_eq!(subjects, ["reversi", "gipf", "mmpawns", "reversi", "gipf"]);
    assert_eq!(figures[3]["count"], 1_000_000);
    // 24 boards are possible after the first move.
    assert_eq!(figures[4]["count"], 24 * 20_000);
    for figure in &figures {
        assert!(figure["per_second"].as_f64().unwrap() > 0.0, "{figure}");
    }
}
