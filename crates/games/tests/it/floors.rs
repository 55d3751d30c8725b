//! Nothing above this floor names a game, but for what is about one game by nature.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The crates above this floor. The crate `programs` is not among them: it is four programs
/// that play one game each.
const ABOVE: [&str; 10] = [
    "bots",
    "draw",
    "referee",
    "handin",
    "review",
    "tournament",
    "cluster",
    "course",
    "web",
    "cli",
];

/// The words that name a game, in lower case.
const NAMES: [&str; 4] = ["reversi", "othello", "gipf", "mmpawns"];

/// What may name a game, and why. A path that ends in `/` is a whole folder.
const ALLOWED: &[(&str, &str)] = &[
    ("referee/src/check/", "the grader of four assignments"),
    ("referee/src/player/gtp.rs", "a protocol of Othello engines"),
    (
        "referee/src/player/nboard.rs",
        "a protocol of Othello engines",
    ),
    (
        "referee/src/tester.rs",
        "the tester of the Othello document",
    ),
    ("course/src/config/template.rs", "the course to begin with"),
    ("tournament/src/output/ggf.rs", "a file format of Othello"),
    ("web/src/solved/", "pages about the tables of GIPF"),
    ("cli/src/analyse/", "ludex analyse GAME"),
    (
        "cli/src/bench/",
        "ludex bench: engines, dialogues and pages to measure",
    ),
    ("cli/src/book.rs", "ludex book: openings of Othello"),
    (
        "cli/src/engine.rs",
        "ludex engine: two of its protocols are of Othello engines",
    ),
    (
        "cli/src/main.rs",
        "the modules of commands about one game, and examples",
    ),
    (
        "cli/src/othello.rs",
        "what the commands about Othello share",
    ),
    ("cli/src/progress.rs", "the progress of tables of GIPF"),
    ("cli/src/query.rs", "ludex query GAME"),
    ("cli/src/solve/", "ludex solve GAME"),
    ("cli/src/table.rs", "ludex table: the tables of GIPF"),
    ("cli/src/tester.rs", "ludex tester: the Othello document"),
    (
        "cli/src/tournament.rs",
        "the export of Othello games as GGF",
    ),
    ("cli/src/train/", "ludex train GAME"),
];

/// The files of code; `tests.rs` beside the code it tests is none.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            found.push(path);
        }
    }
}

/// The first line of code that names a game. Tests, comments and examples in help texts may.
fn names_a_game(text: &str) -> Option<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut help = false;
    for line in code.lines() {
        help |= line.contains("after_help = \"");
        let hidden = help || line.trim_start().starts_with("//");
        help &= !line.ends_with("\")]");
        let lower = line.to_lowercase();
        if !hidden && NAMES.iter().any(|name| lower.contains(name)) {
            return Some(line.trim().to_string());
        }
    }
    None
}

#[test]
fn no_game_is_named_above_this_floor() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for name in ABOVE {
        let mut files = Vec::new();
        sources(&crates.join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "no sources of {name}");
        for file in files {
            let path = file
                .strip_prefix(crates)
                .unwrap()
                .to_str()
                .unwrap()
                .to_string();
            let Some(line) = names_a_game(&std::fs::read_to_string(&file).unwrap()) else {
                continue;
            };
            let allowed = |(place, _): &&(&str, &str)| {
                path == **place || (place.ends_with('/') && path.starts_with(place))
            };
            match ALLOWED.iter().find(allowed) {
                Some((place, _)) => drop(used.insert(*place)),
                None => wrong.push(format!("{path}: {line}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "a game is named above the floor of games: let the game say it in crates/games\n{}",
        wrong.join("\n")
    );
    for (place, reason) in ALLOWED {
        assert!(
            used.contains(place),
            "{place} ({reason}) names no game any more"
        );
    }
}

/// Rules, engines and drawing know nothing of this floor or those above it.
#[test]
fn crates_below_do_not_look_up() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let below = [
        "rules",
        "reversi",
        "gipf",
        "gipf-standard",
        "mmpawns",
        "search",
        "draw",
        "othello",
        "gipf-engine",
        "gipf-standard-engine",
        "mmpawns-engine",
    ];
    for name in below {
        let manifest = std::fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        for above in [
            "games",
            "bots",
            "referee",
            "review",
            "tournament",
            "web",
            "cli",
            "programs",
        ] {
            let dependency = format!("\n{above}.workspace");
            assert!(!manifest.contains(&dependency), "{name} depends on {above}");
        }
    }
}
