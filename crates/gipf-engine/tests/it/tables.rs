//! Tables of small variants.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gipf::{Position, Variant};
use gipf_engine::player::Player;
use gipf_engine::tables::{self, Library, Progress, Settings, Table, TableError, Value};
use rules::{Game, Symmetric};
use search::{Distance, Limits, Score};

const SETTINGS: Settings = Settings {
    threads: 2,
    memory: 1 << 30,
    resume: false,
};

fn variant(text: &str) -> Variant {
    text.parse().unwrap()
}

fn solve(text: &str, folder: &Path, settings: Settings) -> Result<tables::Manifest, TableError> {
    let stop = AtomicBool::new(false);
    tables::solve(variant(text), folder, settings, &stop, &Progress::default())
}

fn verify(folder: &Path) -> Result<tables::Manifest, TableError> {
    tables::verify(folder, 2, &AtomicBool::new(false), &Progress::default())
}

/// Every position that can arise, found by the rules alone.
fn reachable(start: Position) -> HashSet<Position> {
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([start]);
    while let Some(position) = queue.pop_front() {
        for mv in position.moves() {
            let mut next = position;
            next.play_unchecked(mv);
            if seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen
}

/// Values by the obvious method: go over all positions until nothing changes.
fn slow_values(positions: &HashSet<Position>) -> HashMap<Position, Value> {
    let mut values: HashMap<Position, Value> = HashMap::new();
    for level in 0.. {
        let before = values.len();
        let mut new = Vec::new();
        for position in positions.iter().filter(|p| !values.contains_key(p)) {
            let next: Vec<Option<Value>> = position
                .moves()
                .into_iter()
                .map(|mv| {
                    let mut next = *position;
                    next.play_unchecked(mv);
                    values.get(&next).copied()
                })
                .collect();
            if next
                .iter()
                .any(|value| matches!(value, Some(Value::Loss(_))))
            {
                new.push((*position, Value::Win(level)));
            } else if next
                .iter()
                .all(|value| matches!(value, Some(Value::Win(_))))
            {
                new.push((*position, Value::Loss(level)));
            }
        }
        values.extend(new);
        if values.len() == before {
            break;
        }
    }
    values
}

/// The number of positions up to symmetry and exchange of colours, and of raw ones.
#[track_caller]
fn check_against_rules(text: &str) -> (u64, usize) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = solve(text, folder.path(), SETTINGS).unwrap();
    verify(folder.path()).unwrap();
    let table = Table::open(folder.path()).unwrap();
    let positions = reachable(Position::start(variant(text)));
    let values = slow_values(&positions);
    for position in &positions {
        let expected = values.get(position).copied().unwrap_or(Value::Draw);
        assert_eq!(table.value(position), Some(expected), "{position}");
        let best = table.moves(position).first().map(|&(_, value)| value);
        assert_eq!(best.unwrap_or(Value::Loss(0)), expected, "{position}");
    }
    (manifest.positions(), positions.len())
}

#[test]
fn values_agree_with_the_slow_solver() {
    let (classes, raw) = check_against_rules("2 2 5 5");
    assert_eq!(raw, 7964);
    assert!(classes * 24 >= raw as u64);
    for text in [
        "2 2 4 5", "2 2 6 4", "2 3 4 4", "2 3 5 5", "2 3 5 6", "3 3 4 4", "3 4 4 4",
    ] {
        check_against_rules(text);
    }
}

#[track_caller]
fn check_known(text: &str, expected: Value) {
    let folder = tempfile::tempdir().unwrap();
    solve(text, folder.path(), SETTINGS).unwrap();
    let table = Table::open(folder.path()).unwrap();
    assert_eq!(
        table.value(&Position::start(variant(text))),
        Some(expected),
        "{text}"
    );
}

#[test]
fn known_truths() {
    check_known("2 2 5 5", Value::Draw);
    check_known("2 3 5 5", Value::Win(1));
    check_known("3 3 4 4", Value::Loss(2));
}

/// Symmetric positions have one value, and exchanging the colours changes nothing either.
#[test]
fn symmetries_share_values() {
    let folder = tempfile::tempdir().unwrap();
    solve("2 2 6 6", folder.path(), SETTINGS).unwrap();
    let table = Table::open(folder.path()).unwrap();
    for seed in 0..200 {
        let position = table.sample(seed, |value| value != Value::Draw).unwrap();
        let value = table.value(&position);
        for index in 0..position.symmetries() {
            assert_eq!(table.value(&position.transform(index)), value, "{position}");
        }
    }
}

#[test]
fn a_damaged_table_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = solve("2 2 5 5", folder.path(), SETTINGS).unwrap();
    let path = folder.path().join("tier-5-5");
    let whole = fs::read(&path).unwrap();
    let at = whole.iter().position(|&value| value != 255).unwrap();
    let mut damaged = whole.clone();
    damaged[at] = 101;
    fs::write(&path, &damaged).unwrap();
    let error = verify(folder.path()).unwrap_err().to_string();
    assert!(error.contains("tier-5-5: checksum"), "{error}");
    // With the checksum forged, the proof itself finds it.
    let list = folder.path().join("manifest.json");
    let mut text = fs::read_to_string(&list).unwrap();
    let facts = manifest
        .tiers
        .iter()
        .find(|t| (t.own, t.other) == (5, 5))
        .unwrap();
    let forged = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&damaged));
    // Other tiers may hold the same; this one is the last in the list.
    let at = text.rfind(&facts.checksum).unwrap();
    text.replace_range(at..at + forged.len(), &forged);
    fs::write(&list, text).unwrap();
    let error = verify(folder.path()).unwrap_err().to_string();
    assert!(error.contains("follows from its successors"), "{error}");
    fs::write(&path, &whole[1..]).unwrap();
    let error = verify(folder.path()).unwrap_err().to_string();
    assert!(error.contains("bytes, not"), "{error}");
    // What the list counts is counted again.
    fs::write(&path, &whole).unwrap();
    let mut text = fs::read_to_string(&list).unwrap();
    text = text.replace(&forged, &facts.checksum);
    fs::write(&list, &text).unwrap();
    verify(folder.path()).unwrap();
    for key in ["positions", "wins", "losses", "longest"] {
        let at = text.rfind(&format!("\"{key}\": ")).unwrap() + key.len() + 4;
        let mut forged = text.clone();
        forged.insert(at, '7');
        fs::write(&list, forged).unwrap();
        let error = verify(folder.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.json: tier 5-5 has "), "{error}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let error = |text: &str, settings| {
        solve(text, folder.path(), settings)
            .unwrap_err()
            .to_string()
    };
    assert!(error("4 4 15 15", SETTINGS).contains("tables are for boards of size 2 and 3"));
    let little = Settings {
        memory: 1 << 20,
        ..SETTINGS
    };
    assert!(error("3 3 6 6", little).contains("more than the 1 MB allowed"));
    solve("2 2 4 4", folder.path(), SETTINGS).unwrap();
    assert!(error("2 2 4 4", SETTINGS).contains("--resume goes on"));
    assert!(error("2 2 5 5", SETTINGS).contains("not in a table of 2 2 4 4"));
    let empty = tempfile::tempdir().unwrap();
    let error = Table::open(empty.path()).err().unwrap().to_string();
    assert!(error.contains("no table in this folder"), "{error}");
}

/// Stopped over and over at ever later moments, and resumed, the table comes out the same.
#[test]
fn stopping_and_resuming_changes_nothing() {
    let whole = tempfile::tempdir().unwrap();
    let expected = solve("2 2 7 7", whole.path(), SETTINGS).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let resume = Settings {
        resume: true,
        ..SETTINGS
    };
    let mut stops = 0;
    let manifest = loop {
        let stop = AtomicBool::new(false);
        let progress = Progress::default();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(stops));
                stop.store(true, Ordering::Relaxed);
            });
            tables::solve(variant("2 2 7 7"), folder.path(), resume, &stop, &progress)
        });
        match result {
            Ok(manifest) => break manifest,
            Err(TableError::Stopped) => stops += 1,
            Err(e) => panic!("{e}"),
        }
    };
    assert!(stops > 0);
    assert_eq!(manifest.tiers, expected.tiers);
    verify(folder.path()).unwrap();
}

/// A player that finds a table plays by it, and without one where the table ends.
#[test]
fn players_use_tables() {
    let place = tempfile::tempdir().unwrap();
    for text in ["2 2 5 5", "3 3 4 4"] {
        let name = tables::folder_name(variant(text));
        solve(text, &place.path().join(name), SETTINGS).unwrap();
    }
    fs::create_dir(place.path().join("gipf-2-3-5-5.table")).unwrap(); // nothing in it
    let library = Arc::new(Library::new([place.path()]));
    let mut player = Player::default().with_tables(library.clone());
    let limits = Limits::default().with_depth(2);

    let lost = player.search(&Position::start(variant("3 3 4 4")), &limits);
    assert_eq!(lost.score, Score::Loss(Distance::Exactly(2)));
    let drawn = player.search(&Position::start(variant("2 2 5 5")), &limits);
    assert_eq!(drawn.score, Score::Draw);
    for unknown in ["2 3 5 5", "2 2 9 9"] {
        let start = Position::start(variant(unknown));
        assert!(library.moves(&start).is_none(), "{unknown}");
        assert!(player.search(&start, &limits).best.is_some());
    }
}

/// A list that was meddled with, or files that do not fit it, are errors and nothing worse.
#[test]
fn a_strange_list_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    solve("2 2 4 4", folder.path(), SETTINGS).unwrap();
    let list = folder.path().join("manifest.json");
    let good = fs::read_to_string(&list).unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(&list, text).unwrap();
        let error = Table::open(folder.path()).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
    };
    check(&good[..good.len() / 2], "manifest.json: EOF");
    check(&good.replace("\"own\": 4", "\"own\": 200"), "no such tier");
    check(
        &good.replace("\"format\": 2", "\"format\": 7"),
        "format 7, not 2",
    );
    check(&good.replace("2 2 4 4", "2 3 4 4"), "numbers, not");
    check(&good.replace("2 2 4 4", "4 4 15 15"), "has no table");
    fs::write(&list, &good).unwrap();
    fs::write(folder.path().join("tier-4-4"), b"short").unwrap();
    let error = Table::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("tier-4-4: 5 bytes, not"), "{error}");
}
