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
///
/// What it says about the package of the chore is not passed on: build scripts that look at it
/// (`ring`) would run again, and everything above them would be built anew, whenever somebody calls
/// cargo with and without a chore.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = command(
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
        args,
    );
    for (name, _) in std::env::vars_os() {
        let of_the_chore = ["CARGO_MANIFEST_", "CARGO_PKG_"];
        if of_the_chore
            .iter()
            .any(|prefix| name.to_string_lossy().starts_with(prefix))
        {
            command.env_remove(name);
        }
    }
    command
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_told_nothing_about_the_package_of_the_chore() {
        let names = |command: &Command| -> Vec<_> {
            let removed = command.get_envs().filter(|(_, value)| value.is_none());
            removed.map(|(name, _)| name.to_owned()).collect()
        };
        let removed = names(&cargo(&["build"]));
        assert!(
            removed.contains(&"CARGO_MANIFEST_DIR".into()),
            "{removed:?}"
        );
        assert!(!removed.contains(&"CARGO".into()) && !removed.contains(&"CARGO_HOME".into()));
    }
}
