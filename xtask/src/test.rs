//! The one test command.

use anyhow::{Context, Result};

use crate::step::{cargo, root, say, step};
use crate::{conformance, handin, licences, tools};

/// What to test.
pub(crate) struct Options {
    /// Whether pages are tested in a real browser.
    pub(crate) browser: bool,
}

/// Checks everything, the quick steps first.
pub(crate) fn run(options: Options) -> Result<()> {
    step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
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

    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    if options.browser {
        tools::browser()?;
        tests
            .env("LUDEX_BROWSER_TESTS", "1")
            .env("LUDEX_AXE", tools::axe()?);
    } else {
        tests.env("LUDEX_BROWSER_TESTS", "0");
    }
    step("tests", &mut tests)?;

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

    licences::check()?;
    say("\neverything passed");
    Ok(())
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

/// Takes the README's pictures from a run of the browser tests.
pub(crate) fn screenshots() -> Result<()> {
    tools::browser()?;
    let pictures = root().join("docs/images");
    std::fs::create_dir_all(&pictures)?;
    let mut tests = cargo(&["test", "--package", "web", "--test", "it", "screenshots"]);
    tests
        .env("LUDEX_BROWSER_TESTS", "1")
        .env("LUDEX_SCREENSHOTS", &pictures);
    step("screenshots", &mut tests)
}
