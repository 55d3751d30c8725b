//! The one test command.

use anyhow::{Context, Result};

use crate::step::{cargo, root, step};
use crate::{conformance, handin, tools};

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
        None => println!("no outside cases beside the project: only its own were run"),
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

    tools::cargo_deny()?;
    let deny = [
        "deny",
        "--log-level",
        "error",
        "check",
        "licenses",
        "bans",
        "sources",
    ];
    step("licences", &mut cargo(&deny))?;
    println!("\neverything passed");
    Ok(())
}

/// Lets the MMPawns program play so many games against itself, on all cores.
pub(crate) fn soak(games: u32) -> Result<()> {
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
    tests.env("LUDEX_SOAK", games.to_string());
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
