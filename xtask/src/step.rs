//! One command of a chore, announced, timed, and checked.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// Prints a line, if anybody reads it: the exit status says as much.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The same on standard error.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace")
        .to_owned()
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this chore.
pub(crate) fn cargo(args: &[&str]) -> Command {
    command(
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
        args,
    )
}

/// A command in the workspace's root.
pub(crate) fn command(program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Runs the command; a nonzero exit is an error that names the step.
pub(crate) fn step(name: &str, command: &mut Command) -> Result<()> {
    note(format_args!("\n== {name}"));
    let start = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("{name}: cannot start {command:?}"))?;
    ensure!(status.success(), "{name}: {command:?} ended with {status}");
    let seconds = start.elapsed().as_secs_f64();
    note(format_args!("== {name}: passed in {seconds:.0} s"));
    Ok(())
}
