//! The examples of the documents, run.

use std::path::Path;

use referee::{GameRecord, Verdict};

use crate::console;

fn document(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The blocks of code in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut rest = text;
    let fence = format!("```{language}\n");
    while let Some(at) = rest.find(&fence) {
        let (block, after) = rest[at + fence.len()..].split_once("```").unwrap();
        blocks.push(block.to_string());
        rest = after;
    }
    blocks
}

/// A line without the seconds and the memory in it, which are never the same; nothing of
/// what depends on the machine.
fn timeless(line: &str) -> Option<String> {
    if line.starts_with("note: not enforced") || line.starts_with("not enforced") {
        return None;
    }
    let mut plain = String::new();
    let mut digits = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_ascii_digit() || c == '.' {
            digits.push(c);
            continue;
        }
        let seconds = digits
            .split_once('.')
            .is_some_and(|(_, decimals)| matches!(decimals.len(), 3 | 6));
        plain += if seconds { "0.000" } else { &digits };
        digits.clear();
        plain.push(c);
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let is_size = |index: usize| {
        words
            .get(index + 1)
            .is_some_and(|unit| unit.starts_with("MB"))
    };
    let shown = words
        .iter()
        .enumerate()
        .map(|(index, word)| match is_size(index) {
            true => "0",
            false => word,
        });
    Some(shown.collect::<Vec<_>>().join(" "))
}

/// The sessions of a document, in the folder that it speaks of.
fn check_sessions(name: &str, folder: &Path) {
    let sessions = blocks(&document(name), "console");
    assert!(!sessions.is_empty(), "{name} has no session");
    let plain = |text: &str| {
        text.lines()
            .filter_map(timeless)
            .collect::<Vec<_>>()
            .join("\n")
    };
    for session in sessions {
        let seen = console::seen(&session, folder);
        console::compare(&plain(&seen), plain(&session));
    }
}

/// A program that plays the first legal move of Othello, after one argument of its own. It
/// stands for itself: behind walls it could not see another program that it starts.
const FIRST_MOVE: &str = r#"#!/bin/sh
shift
exec awk '
function at(x, y) {
    return x < 0 || x > 7 || y < 0 || y > 7 ? 0 : substr(ARGV[y + 1], x + 1, 1) + 0
}
BEGIN {
    if (ARGC != 10) {
        text = "ludex: %d arguments given, but eight rows and a colour are wanted\n"
        printf text, ARGC - 1 > "/dev/stderr"
        exit 2
    }
    own = ARGV[9] + 0
    for (y = 0; y < 8; y++) for (x = 0; x < 8; x++) {
        if (at(x, y)) continue
        for (i = -1; i < 2; i++) for (j = -1; j < 2; j++) {
            for (n = 1; (i || j) && at(x + n * i, y + n * j) == 3 - own; n++) {}
            if (n > 1 && at(x + n * i, y + n * j) == own) { print x "," y; exit }
        }
    }
}' "$@"
"#;

#[test]
fn tournaments() {
    let folder = console::scratch("docs-tournaments");
    let text = document("tournaments.md");
    console::write_file(&folder.join("cup.toml"), &blocks(&text, "toml")[0]);
    console::write_file(&folder.join("mine"), FIRST_MOVE);
    check_sessions("tournaments.md", &folder);
    let page = std::fs::read_to_string(folder.join("cup.html")).unwrap();
    assert!(page.contains("Spring cup"));
}

#[test]
fn grading() {
    let folder = console::scratch("docs-grading");
    std::fs::create_dir(folder.join("class")).unwrap();
    let right = "#!/bin/sh\necho 7,0\n";
    let wrong = "#!/bin/sh\necho 0,7\n";
    for (name, program) in [
        ("bruno", wrong),
        ("class/Bruno", wrong),
        ("class/Anna Berg", right),
    ] {
        console::write_file(&folder.join(name), program);
    }
    check_sessions("grading.md", &folder);
    for file in ["grades.csv", "Anna_Berg.html", "Bruno.html"] {
        assert!(folder.join("grades").join(file).exists(), "{file}");
    }
}

#[test]
fn game_records() {
    let folder = console::scratch("docs-game-record");
    let text = document("game-record.md");
    let example = &blocks(&text, "json")[0];
    let record: GameRecord = serde_json::from_str(example).unwrap();
    assert_eq!(record.moves.len(), 2);
    console::write_file(&folder.join("game.json"), example);
    console::write_file(&folder.join("mine"), "#!/bin/sh\necho 0,0\n");
    check_sessions("game-record.md", &folder);
}

/// Every kind of verdict stands in the table, with a sentence as the referee says it.
#[test]
fn verdicts() {
    let text = document("game-record.md");
    let table = text.split("## Verdicts").nth(1).unwrap();
    for json in blocks(table, "json")[0].lines() {
        let (json, sentence) = json.split_once("  // ").unwrap();
        let verdict: Verdict = serde_json::from_str(json).unwrap();
        assert_eq!(verdict.to_string(), sentence.trim());
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(json).unwrap(),
            serde_json::to_value(&verdict).unwrap()
        );
    }
}

/// The rows of the solved variants of GIPF that take a moment to solve again.
#[test]
fn solved_variants() {
    let folder = console::scratch("docs-gipf-solved");
    let text = document("gipf-solved.md");
    let rows = text.lines().filter(|line| line.starts_with("| 3 "));
    let mut solved = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, variant, positions, result, longest, ..] = cells[..] else {
            panic!("{row}");
        };
        let positions: u64 = positions.replace(',', "").parse().unwrap();
        if positions > 200_000 {
            continue;
        }
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["solve", "gipf", "--json"])
            .args(variant.split(' '))
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{variant}: {output:?}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let value = &found["value"];
        let said = match value["winner"].as_str() {
            None => "tie".to_string(),
            Some(winner) => format!("{winner} wins in {}", value["distance"]),
        };
        assert_eq!(said, result, "{row}");
        assert_eq!(found["positions"], positions, "{row}");
        assert_eq!(found["longest"].to_string(), longest, "{row}");
        solved += 1;
    }
    assert!(solved > 20, "{solved} rows");
}
