//! The MMPawns program on files, in folders of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use mmpawns::matrix::{Mark, Matrix};
use mmpawns_engine::fields::{Spread, random_start};
use rules::Game;

use crate::cases;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mmpawns");

/// The program under test: the one just built, unless a chore names another.
fn program() -> OsString {
    std::env::var_os("LUDEX_SOAK_PROGRAM").unwrap_or_else(|| PROGRAM.into())
}

/// A folder that is there as long as the value is.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ludex-mmpawns-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("matrix.txt")
    }

    fn run(&self) -> Output {
        Command::new(program())
            .current_dir(&self.0)
            .output()
            .expect("the program starts")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn inputs(ending: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(cases::own("mmpawns"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() == Some(OsStr::new("in")))
        .filter(|path| path.with_extension(ending).exists())
        .collect();
    paths.sort();
    assert!(paths.len() > 5);
    paths
}

/// The one line that may differ: the mover's time, `?` in the data.
#[track_caller]
fn check_lines(actual: &[u8], expected: &[u8], case: &Path) {
    let (actual, expected) = (cases::exactly(actual), cases::exactly(expected));
    let case = case.display();
    assert_eq!(actual.len(), expected.len(), "{case}");
    for (number, (actual, expected)) in (1..).zip(actual.iter().zip(&expected)) {
        let actual = String::from_utf8_lossy(actual);
        let expected = String::from_utf8_lossy(expected);
        if expected == "0 ?\n" {
            let time = actual.strip_prefix("0 ").unwrap().trim_end();
            let (_, decimals) = time.split_once('.').unwrap();
            assert_eq!(decimals.len(), 2, "{case}: {actual}");
            assert!(time.parse::<f64>().unwrap() >= 0.0, "{case}: {actual}");
        } else {
            assert_eq!(actual, expected, "{case}: line {number}");
        }
    }
}

/// However many seconds a file promises, or takes away, the program moves.
#[test]
fn any_number_of_seconds_is_borne() {
    for seconds in ["1e300", "99999999999999999999", "-5", "-1e300"] {
        let folder = Folder::new();
        let board =
            "-B------\n--------\n--------\n--------\n--------\n--------\n--------\n-----A--";
        let text = format!("A 1 U\n0 {seconds}\n0 30.00\n{board}\n");
        fs::write(folder.file(), text).unwrap();
        let output = folder.run();
        assert!(output.status.success(), "{seconds}: {output:?}");
        let after = fs::read(folder.file()).unwrap();
        assert!(after.starts_with(b"B 2 U\n"), "{seconds}");
        Matrix::read(&after).expect(seconds);
    }
}

#[test]
fn moves_as_the_data_say() {
    for input in inputs("out") {
        let folder = Folder::new();
        fs::copy(&input, folder.file()).unwrap();
        let output = folder.run();
        assert!(output.status.success(), "{}", input.display());
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
        let expected = fs::read(input.with_extension("out")).unwrap();
        check_lines(&fs::read(folder.file()).unwrap(), &expected, &input);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    }
}

#[test]
fn refuses_bad_files_and_leaves_them_alone() {
    for input in inputs("err") {
        let folder = Folder::new();
        fs::copy(&input, folder.file()).unwrap();
        let output = folder.run();
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = fs::read_to_string(input.with_extension("err")).unwrap();
        assert_eq!(message, expected, "{}", input.display());
        assert_eq!(output.status.code(), Some(2), "{}", input.display());
        assert!(output.stdout.is_empty());
        let after = fs::read(folder.file()).unwrap();
        assert_eq!(after, fs::read(&input).unwrap(), "{}", input.display());
    }
}

#[test]
fn a_missing_file_is_an_error_and_stays_missing() {
    let folder = Folder::new();
    let output = folder.run();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("mmpawns: matrix.txt: "), "{message}");
    assert_eq!(message.lines().count(), 1);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}

/// A whole game between two processes: every file is what the rules make of the one
/// before. Gives the least time that anybody had left.
fn play(seed: u64, seconds: f64) -> f64 {
    let spread = Spread::ALL[seed as usize % 3];
    let (pawns, holes) = (2 + seed as u32 / 3 % 7, seed as u32 % 11);
    let mut matrix = Matrix::new(random_start(spread, pawns, holes, seed), seconds);
    let mut least = seconds;
    if matrix.position.outcome().is_some() {
        return least;
    }
    let folder = Folder::new();
    fs::write(folder.file(), matrix.write()).unwrap();
    while matrix.result == Mark::U {
        let output = folder.run();
        assert!(output.status.success(), "{seed}: {:?}", output.stderr);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "{seed}");
        let bytes = fs::read(folder.file()).unwrap();
        let next = Matrix::read(&bytes).unwrap();
        let side = matrix.position.side_to_move().index();
        let mv = matrix.position.moves().into_iter().find(|&mv| {
            let mut after = matrix.position;
            after.play_unchecked(mv);
            after == next.position
        });
        let left = next.accounts[side].seconds;
        let used = matrix.accounts[side].seconds - left;
        assert!(used >= 0.0, "{seed}");
        assert_eq!(matrix.after(mv.expect("a legal move"), used).write(), bytes);
        least = least.min(left);
        matrix = next;
    }
    least
}

/// An account that only a hang can overdraw so far, however slow the machine is. (How the
/// seconds are shared out is tested where it is decided, with seconds that the test makes up.)
const OVERDRAWN: f64 = -100.0;

#[test]
fn whole_games_by_the_rules_and_the_clock() {
    let least = (0..18).map(|seed| play(seed, 0.6)).fold(0.6, f64::min);
    assert!(least >= OVERDRAWN, "{least}");
}

#[test]
fn a_game_with_a_tenth_of_a_second() {
    let least = (18..21).map(|seed| play(seed, 0.1)).fold(0.1, f64::min);
    assert!(least >= OVERDRAWN, "{least}");
}

/// A number that a chore gives to a test.
fn given(name: &str) -> Option<u32> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}

/// A tournament's worth on all cores. A few games with a short clock here; as many as
/// `LUDEX_SOAK` says, under the clock of a tournament, with `cargo xtask soak`.
#[test]
fn games_side_by_side() {
    let (games, seconds, reserve) =
        given("LUDEX_SOAK").map_or((12, 1.0, OVERDRAWN), |games| (games, 30.0, 0.3));
    let first = given("LUDEX_SOAK_FROM").unwrap_or(0);
    let until = given("LUDEX_SOAK_SECONDS")
        .map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
    let (next, played) = (AtomicU32::new(first), AtomicU32::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let mut least = seconds;
        while until.is_none_or(|until| Instant::now() < until) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + games {
                break;
            }
            let left = play(seed.into(), seconds);
            assert!(left >= reserve, "{seed}: {left}");
            least = least.min(left);
            let played = played.fetch_add(1, Ordering::Relaxed) + 1;
            println!("{played} games; {seed}: at least {left:.2} s left");
        }
        least
    };
    let least = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let results = workers.into_iter().map(|w| w.join().expect("no fault"));
        results.fold(seconds, f64::min)
    });
    let played = played.into_inner();
    println!("{played} games from {first} without a fault, at least {least:.2} s left");
}

/// The program as it is handed in is one file of at most 500,000 bytes.
#[test]
fn the_handed_in_file_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let build = Command::new(env!("CARGO"))
        .current_dir(&root)
        .args(["build", "--quiet", "--offline", "--profile", "handin"])
        .args(["--package", "programs", "--bin", "mmpawns"])
        .arg("--target-dir")
        .arg(root.join("target"))
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "{message}");
    let name = format!("mmpawns{}", std::env::consts::EXE_SUFFIX);
    let file = root.join("target/handin").join(name);
    let length = fs::metadata(file).unwrap().len();
    assert!(length <= 500_000, "{length} bytes");
}
