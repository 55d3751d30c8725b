//! The whole recipe, in small.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use othello::eval::{Network, PHASES, Weights};
use train::othello::network::By;
use train::othello::recipe::{self, Progress, Stage};
use train::othello::{fit, network, record, selfplay, validate};

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("ludex-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PLAY: selfplay::Settings = selfplay::Settings {
    seed: 3,
    depth: 1,
    solve: 9,
    trust: 0.9,
    stray: 10,
};

#[test]
fn a_small_recipe_learns_and_can_be_repeated() {
    let stage = Stage {
        games: 500,
        depth: 1,
        solve: 9,
        trust: 0.9,
        stray: 4,
        earlier: 0,
        fit: fit::Settings {
            shrink: 50.0,
            steps: 6,
            margin: 1,
        },
    };
    let stages = [
        stage,
        Stage {
            earlier: 1,
            ..stage
        },
    ];
    let run = |name: &str, threads| {
        let folder = Folder::new(name);
        let phases = AtomicUsize::new(0);
        let bytes = recipe::run(&stages, 1, &folder.0, threads, |progress| {
            if matches!(progress, Progress::Fitted { .. }) {
                phases.fetch_add(1, Ordering::Relaxed);
            }
        });
        assert_eq!(phases.into_inner(), 2 * PHASES);
        let bytes = bytes.expect("a folder to work in");
        // What is there is not done again.
        let again = recipe::run(&stages, 1, &folder.0, threads, |_| panic!("done again"));
        assert_eq!(again.expect("a folder to work in"), bytes);
        bytes
    };
    let bytes = run("recipe-1", 1);
    assert!(run("recipe-2", 2) == bytes, "threads change nothing");
    let weights = Weights::read(bytes).expect("a whole file");
    assert!(weights.header().text.contains("recipe seed 1 [games 500"));
    // Positions of other games, with exact labels: half as far off as knowing nothing.
    let test = selfplay::play_file(&Weights::zero(), &PLAY, 0);
    let [knowing, nothing] = [weights, Weights::zero()].map(|weights| {
        let errors = validate::errors(&weights, None, &test);
        assert!(errors[0].positions > 1000);
        errors[0].absolute
    });
    assert!(knowing < 0.6 * nothing, "{knowing} against {nothing}");
}

#[test]
fn files_of_records_are_whole_or_told() {
    let folder = Folder::new("records");
    std::fs::create_dir_all(&folder.0).expect("a temporary folder");
    let records = &selfplay::play_file(&Weights::zero(), &PLAY, 1)[..100];
    let path = folder.0.join("a.records");
    record::write(&path, records).expect("a temporary file");
    assert_eq!(record::read(&path).expect("what was written"), records);
    assert_eq!(
        record::files(&folder.0).expect("a folder"),
        std::slice::from_ref(&path)
    );
    std::fs::write(&path, [0; 37]).expect("a temporary file");
    let error = record::read(&path).expect_err("a cut file").to_string();
    assert!(
        error.ends_with("37 bytes are not a whole number of 20-byte records"),
        "{error}"
    );
}

#[test]
fn real_games_are_labelled() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/wthor");
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return;
    }
    let settings = validate::Settings {
        seed: 1,
        games: 50,
        solve: 10,
    };
    let records = validate::label(&folder, &settings).expect("games");
    let errors = validate::errors(Weights::embedded(), Some(Network::embedded()), &records);
    // People's games, and weights that never saw them.
    assert!(
        errors[1].positions > 50 && errors[1].absolute < 9.0,
        "{errors:?}"
    );
}

#[test]
fn a_small_network_can_be_repeated() {
    let recipe = network::Recipe {
        games: 200,
        depth: 1,
        solve: 8,
        from_scratch: true,
        fit: network::Settings {
            epochs: 1,
            batch: 4096,
            ..network::Settings::default()
        },
        ..network::Recipe::default()
    };
    let run = |name: &str, threads| {
        let folder = Folder::new(name);
        let bytes = network::run(&recipe, &folder.0, threads, By::Threads, |progress| {
            if let network::Progress::Fitted(epoch) = progress {
                assert!(epoch.corrected < 2.0 * epoch.weights, "{epoch:?}");
            }
        });
        bytes.expect("a folder to work in")
    };
    let bytes = run("network-1", 1);
    assert!(run("network-2", 2) == bytes, "threads change nothing");
    let network = Network::read(bytes).expect("a whole file");
    let text = &network.header().text;
    assert!(text.contains("recipe seed 7 games 200 depth 1"), "{text}");
}
