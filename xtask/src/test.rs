//! The one test command.

use std::path::PathBuf;
use std::thread::ScopedJoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::step::{cargo, note, root, say, step};
use crate::{conformance, handin, licences, suite, tools};

/// What to test.
pub(crate) struct Options {
    /// Whether pages are tested in a real browser.
    pub(crate) browser: bool,
}

/// Checks everything: the format, then the tests, and beside them what only needs cargo.
pub(crate) fn run(options: Options) -> Result<()> {
    step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    let (programs, variables) = std::thread::scope(|scope| {
        // What is installed is waited for: for servers, and for the disk.
        let tools = scope.spawn(|| variables(&options).inspect_err(|error| note(error)));
        (suite::build(), joined(tools))
    });
    let (programs, variables) = (programs?, variables?);
    let (tests, rest) = std::thread::scope(|scope| {
        let rest = scope.spawn(beside_the_tests);
        (suite::run(programs, &variables), joined(rest))
    });
    rest?;
    tests?;
    say("\neverything passed");
    Ok(())
}

/// What the tests find in their environment, with the tools that they need.
fn variables(options: &Options) -> Result<Vec<(&'static str, String)>> {
    let mut tools = vec![&tools::BWRAP, &tools::NATS_SERVER];
    if options.browser {
        tools.extend(tools::for_browser());
    }
    tools::install(&tools)?;
    let mut variables = vec![("LUDEX_NATS_TESTS", "1".to_owned())];
    // Half of the tests wait: for browsers, programs under the referee, files on the disk.
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        variables.push(("RUST_TEST_THREADS", (2 * cores).to_string()));
    }
    let browser = u8::from(options.browser).to_string();
    variables.push(("LUDEX_BROWSER_TESTS", browser));
    if options.browser {
        variables.push(("LUDEX_AXE", tools::axe()?.display().to_string()));
    }
    Ok(variables)
}

/// What a thread returns.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    let ended = thread.join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Lints, tests in the documentation, the programs for handing in, and licences.
fn beside_the_tests() -> Result<()> {
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    step("lints", &mut cargo(&lints))?;
    let examples = ["test", "--workspace", "--doc", "--quiet"];
    step("examples in the documentation", &mut cargo(&examples))?;

    let programs = handin::build()?;
    match tools::outside_cases() {
        None => say("no outside cases beside the project: only its own were run"),
        Some(folder) => {
            let run = |name, loose| {
                conformance::run(&handin::program(&programs, name), &folder.join(name), loose)
            };
            run("reversi", false).context("conformance")?;
            run("gipf", true).context("conformance")?;
        }
    }

    let mut docs = cargo(&["doc", "--workspace", "--lib", "--no-deps", "--quiet"]);
    step("documentation", docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    licences::check()
}

/// Random inputs for parsers.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// Which parser [default: each of them]
    target: Option<String>,
    /// For how many seconds each
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Where the random numbers come from [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Try the input in this file once instead
    #[arg(long, requires = "target")]
    input: Option<PathBuf>,
}

/// Tries random inputs on parsers, for longer than the test command does.
pub(crate) fn fuzz(fuzz: &Fuzz) -> Result<()> {
    let mut tests = cargo(&["test", "--package", "fuzz", "--test", "it", "--"]);
    tests.arg("--nocapture");
    if let Some(target) = &fuzz.target {
        // The tests are named after their module, too.
        tests.arg(format!("::{target}"));
    }
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = fuzz.seed.unwrap_or(time?.as_secs());
    tests.env("LUDEX_FUZZ_SECONDS", fuzz.seconds.to_string());
    tests.env("LUDEX_FUZZ_SEED", seed.to_string());
    if let Some(input) = &fuzz.input {
        let input = input.canonicalize();
        tests.env("LUDEX_FUZZ_INPUT", input.context("--input")?);
    }
    step(&format!("fuzz with seed {seed}"), &mut tests)
}

/// Games of the MMPawns program against itself.
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// The number of the first one, to go on where another run has stopped
    #[arg(long, default_value_t = 0)]
    from: u32,
    /// Begin no game after so many seconds
    #[arg(long)]
    seconds: Option<u32>,
}

/// Lets the MMPawns program, as it is handed in, play against itself on all cores.
pub(crate) fn soak(soak: &Soak) -> Result<()> {
    let program = handin::program(&handin::build()?, "mmpawns");
    let mut tests = cargo(&[
        "test",
        "--release",
        "--package",
        "programs",
        "--test",
        "it",
        "games_side_by_side",
        "--",
        "--nocapture",
    ]);
    tests
        .env("LUDEX_SOAK", soak.games.to_string())
        .env("LUDEX_SOAK_FROM", soak.from.to_string())
        .env("LUDEX_SOAK_PROGRAM", program);
    if let Some(seconds) = soak.seconds {
        tests.env("LUDEX_SOAK_SECONDS", seconds.to_string());
    }
    step("soak", &mut tests)
}

/// Prints the dialogues with which the grader shows every rule of Reversi, found anew.
pub(crate) fn dialogues(games: u32) -> Result<()> {
    let test = ["referee", "--lib", "random_games_show_most_rules"];
    at_length("dialogues", &test, ("LUDEX_DIALOGUES", games))
}

/// Prints the positions with which the grader shows every rule of published GIPF, found anew.
pub(crate) fn positions(positions: u32) -> Result<()> {
    let test = ["referee", "--lib", "random_positions_show_most_faults"];
    at_length("positions", &test, ("LUDEX_POSITIONS", positions))
}

/// Prints the endgames of GIPF with which the grader shows every way to look ahead wrongly, found anew.
pub(crate) fn endings(boards: u32) -> Result<()> {
    let test = ["referee", "--lib", "random_endings_show_faults"];
    at_length("endings", &test, ("LUDEX_ENDINGS", boards))
}

/// Compares the proofs of reviews of so many games of each kind with plain search and tables.
pub(crate) fn proofs(games: u32) -> Result<()> {
    let test = ["review", "--test", "it", "right::"];
    at_length("proofs", &test, ("LUDEX_PROOFS", games))
}

/// Kills a course that is being served so often, at random moments.
pub(crate) fn kills(times: u32) -> Result<()> {
    let test = ["cli", "--test", "it", "course::killed"];
    at_length("kills", &test, ("LUDEX_KILLS", times))
}

/// Kills workers, coordinators and servers of a cup so often, at random moments.
pub(crate) fn cluster_kills(times: u32) -> Result<()> {
    tools::install(&[&tools::NATS_SERVER])?;
    let test = ["cluster", "--test", "it", "killed::whoever"];
    at_length("cluster-kills", &test, ("LUDEX_CLUSTER_KILLS", times))
}

/// Runs tests of a package, one after the other, with a variable that makes them longer.
fn at_length(name: &str, package: &[&str], (variable, value): (&str, u32)) -> Result<()> {
    let mut tests = cargo(&["test", "--release", "--package"]);
    tests
        .args(package)
        .args(["--", "--nocapture", "--test-threads=1"])
        .env(variable, value.to_string());
    step(name, &mut tests)
}

/// Runs the hostile programs so many times, as this user and, by root, as an ordinary one.
pub(crate) fn hostile(rounds: u32) -> Result<()> {
    for round in 1..=rounds {
        let name = format!("hostile programs and hand-ins, round {round} of {rounds}");
        let tests = "test --package referee --package handin --test it hostile::";
        let tests: Vec<&str> = tests.split(' ').collect();
        step(&name, &mut cargo(&tests))?;
    }
    Ok(())
}

/// Takes the README's pictures from a run of the browser tests.
pub(crate) fn screenshots() -> Result<()> {
    tools::install(&[&tools::BROWSER])?;
    let pictures = root().join("docs/images");
    std::fs::create_dir_all(&pictures)?;
    let mut tests = cargo(&["test", "--package", "web", "--test", "it", "screenshots"]);
    tests
        .env("LUDEX_BROWSER_TESTS", "1")
        .env("LUDEX_SCREENSHOTS", &pictures);
    step("screenshots", &mut tests)
}
