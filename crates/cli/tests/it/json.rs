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
    let games = ["reversi", "gipf", "gipf-standard", "mmpawns"];
    assert_eq!(subjects, [&games[..], &["reversi", "gipf"]].concat());
    assert_eq!(figures[4]["count"], 1_000_000);
    // 24 boards are possible after the first move.
    assert_eq!(figures[5]["count"], 24 * 20_000);
    for figure in &figures {
        assert!(figure["per_second"].as_f64().unwrap() > 0.0, "{figure}");
    }
}

#[test]
fn gipf_is_measured() {
    let figures = lines(&[
        "bench",
        "gipf",
        "--json",
        "--most",
        "10000",
        "--positions",
        "2",
        "--position-seconds",
        "0.05",
    ]);
    let of = |bench: &str| -> Vec<&Value> {
        let wanted = |figure: &&Value| figure["bench"] == bench;
        figures.iter().filter(wanted).collect()
    };
    assert!(of("perft").len() > 3);
    assert!(
        of("perft")
            .iter()
            .all(|figure| figure["count"].as_u64().unwrap() <= 10_000)
    );
    // Eleven end states and thirteen other positions, all of them easy.
    assert_eq!(of("solve").len(), 24);
    assert!(of("solve").iter().all(|figure| figure["verdict"] != "?"));
    assert_eq!(of("random").len(), 6);
    let [smallest, ..] = of("random")[..] else {
        panic!("positions of 2 2 8 8");
    };
    assert_eq!(smallest["variant"], "2 2 8 8");
    assert_eq!(smallest["solved"], 2);
}

/// A moment for each game, so that little is proven; what is reported fits together.
#[test]
fn reviews_are_measured() {
    let names = ["othello", "gipf-3388", "gipf-4415", "mmpawns"];
    let parts = [
        "--games",
        "2",
        "-j",
        "2",
        "--threads",
        "1",
        "--time",
        "50ms",
    ];
    let figures = lines(&[&["bench", "review", "--json"], &parts[..]].concat());
    let benches: Vec<&str> = figures
        .iter()
        .map(|figure| figure["bench"].as_str().unwrap())
        .collect();
    assert_eq!(benches, names.map(|name| format!("review {name}")));
    for figure in &figures {
        let number = |name: &str| figure[name].as_f64().unwrap();
        assert_eq!(number("games"), 2.0);
        assert!(number("proven") <= number("positions"), "{figure}");
        assert!(number("seconds_per_game") <= number("slowest"), "{figure}");
        assert!(number("processor_seconds_per_game") > 0.0, "{figure}");
        let aim = &figure["aim"];
        assert_eq!(aim.is_null(), figure["bench"] == "review gipf-4415");
        if let (Some(count), Some(proven)) = (aim["count"].as_f64(), aim["proven"].as_f64()) {
            assert!(proven <= count && count <= number("positions"), "{figure}");
            let whole = aim["whole_games"] == 2;
            assert_eq!(whole, proven == count, "{figure}");
        }
    }
    // A part is measured alone, and one without its table is refused.
    let part = lines(
        &[
            &["bench", "review", "--json", "--only", "mmpawns"],
            &parts[..],
        ]
        .concat(),
    );
    assert_eq!(part.len(), 1);
    let refused = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["bench", "review", "--only", "gipf-3388-table"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("--tables"), "{text}");
}

#[test]
fn weights_of_gipf_are_trained() {
    let train = |threads: &str| {
        let arguments = [
            "train",
            "gipf",
            "--variant",
            "3 3 6 6",
            "--games",
            "4",
            "--generations",
            "2",
            "--nodes",
            "40",
            "--rounds",
            "20",
            "--threads",
            threads,
        ];
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = train("1");
    let headings = |number: u32| text.contains(&format!("generation {number}: 4 games, "));
    assert!(headings(1) && headings(2) && !headings(3), "{text}");
    // The last line is what the source holds: a number for each name above.
    let last = text.lines().last().unwrap();
    let numbers = last
        .strip_prefix("Weights([")
        .and_then(|rest| rest.strip_suffix("])"));
    let numbers: Vec<i32> = numbers
        .unwrap()
        .split(", ")
        .map(|number| number.parse().unwrap())
        .collect();
    let names = text.lines().filter(|line| line.starts_with("  ")).count();
    assert_eq!(names, 2 * numbers.len());
    // Threads change nothing.
    assert_eq!(train("2"), text);
}

#[test]
fn games_between_people_are_measured() {
    let figures = lines(&[
        "bench",
        "site",
        "--json",
        "--games",
        "3",
        "--seconds",
        "2",
        "--pause",
        "10",
    ]);
    let names: Vec<&str> = figures
        .iter()
        .filter_map(|figure| figure["bench"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "move answered",
            "heard by the opponent",
            "seen by the opponent"
        ]
    );
    for figure in &figures {
        assert!(figure["moves"].as_u64().unwrap() > 0, "{figure}");
        let [median, most] = ["median_ms", "p99_ms"].map(|key| figure[key].as_f64().unwrap());
        assert!(0.0 < median && median <= most, "{figure}");
    }
}

#[test]
fn a_library_is_measured() {
    let figures = lines(&["bench", "library", "--json", "--games", "200"]);
    let of = |bench: &str| {
        let figure = figures.iter().find(|figure| figure["bench"] == bench);
        figure.unwrap_or_else(|| panic!("{bench} in {figures:?}"))["value"].as_f64()
    };
    assert_eq!(of("games added"), Some(200.0));
    assert!(of("positions: queries") > Some(100.0));
    // Every position that was taken from a game is found in it at least.
    assert!(of("games found in all") > of("positions: queries"));
}

#[test]
fn levels_are_rated() {
    let figures = lines(&[
        "bench",
        "levels",
        "mmpawns",
        "--json",
        "--pairs",
        "1",
        "--best",
        "best:n2000",
        "-j",
        "1",
    ]);
    assert_eq!(figures.len(), 9);
    assert_eq!(
        (&figures[0]["player"], &figures[0]["elo"]),
        (&"random".into(), &0.0.into())
    );
    assert_eq!(figures[1]["player"], "first-steps");
    assert_eq!(figures[8]["player"], "best:n2000");
    assert!(figures[8]["elo"].as_f64() > figures[1]["elo"].as_f64());
}
