//! All test programs of the workspace, built once and run two at a time.
//!
//! `cargo test` runs one program after the other, and half of what the programs do is waiting: for
//! browsers, programs under the referee, servers, files on the disk.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::step::{cargo, note};

/// So many programs run at the same time.
const LANES: usize = 2;

/// One program of tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// Package and target, as in `referee it`.
    name: String,
    executable: PathBuf,
    /// The folder of the package, in which cargo runs its tests.
    folder: PathBuf,
}

/// What cargo says about something that it has built, as far as it matters here.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds the programs with the tests of all packages. The largest are the first: they take longest.
pub(crate) fn build() -> Result<Vec<Program>> {
    note("\n== build the tests");
    let start = Instant::now();
    let mut command = cargo(&["test", "--workspace", "--no-run"]);
    command
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    let status = output.status;
    ensure!(status.success(), "{command:?} ended with {status}");
    let mut programs = programs(&String::from_utf8_lossy(&output.stdout));
    ensure!(!programs.is_empty(), "{command:?} built no tests");
    programs.sort_by_key(|program| {
        std::cmp::Reverse(std::fs::metadata(&program.executable).map_or(0, |file| file.len()))
    });
    let seconds = start.elapsed().as_secs_f64();
    let many = programs.len();
    note(format_args!(
        "== build the tests: {many} programs in {seconds:.0} s"
    ));
    Ok(programs)
}

/// The test programs in the lines that cargo prints.
fn programs(lines: &str) -> Vec<Program> {
    let artifacts = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
        .filter(|artifact| artifact.profile.test);
    artifacts
        .filter_map(|artifact| {
            let folder = artifact.manifest_path.parent()?.to_owned();
            let package = folder.file_name()?.to_string_lossy().into_owned();
            Some(Program {
                name: format!("{package} {}", artifact.target.name),
                executable: artifact.executable?,
                folder,
            })
        })
        .collect()
}

/// Runs all programs, in this environment with these variables. Prints what a program printed when
/// it has ended; an error names the programs that failed.
pub(crate) fn run(programs: Vec<Program>, variables: &[(&str, String)]) -> Result<()> {
    let start = Instant::now();
    let waiting = Mutex::new(VecDeque::from(programs));
    let failed = Mutex::new(Vec::new());
    let lane = || {
        loop {
            let next = lock(&waiting).pop_front();
            let Some(program) = next else { break };
            let start = Instant::now();
            let ended = tests(&program, variables).output();
            let seconds = start.elapsed().as_secs_f64();
            let name = &program.name;
            // Locked, so that the outputs of two programs do not mix.
            let mut failed = lock(&failed);
            match ended {
                Ok(Output { status, stdout, .. }) => {
                    note(String::from_utf8_lossy(&stdout));
                    note(format_args!("== {name}: {status} after {seconds:.0} s"));
                    if !status.success() {
                        failed.push(format!("{name} ({status})"));
                    }
                }
                Err(error) => failed.push(format!("{name} ({error})")),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(lane);
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    ensure!(failed.is_empty(), "tests failed: {}", failed.join(", "));
    let seconds = start.elapsed().as_secs_f64();
    note(format_args!("== tests: passed in {seconds:.0} s"));
    Ok(())
}

/// The command that runs a program's tests. Both outputs go into one pipe, in their order.
fn tests(program: &Program, variables: &[(&str, String)]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "exec \"$0\" 2>&1"])
        .arg(&program.executable)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .stdin(Stdio::null())
        .envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_in_what_cargo_prints() {
        let lines = r#"
{"reason":"compiler-artifact","manifest_path":"/w/crates/a/Cargo.toml","target":{"name":"it"},"profile":{"test":true},"executable":"/w/target/it-1"}
{"reason":"compiler-artifact","manifest_path":"/w/crates/a/Cargo.toml","target":{"name":"a"},"profile":{"test":false},"executable":"/w/target/a"}
{"reason":"compiler-artifact","manifest_path":"/w/crates/b/Cargo.toml","target":{"name":"b"},"profile":{"test":true},"executable":null}
{"reason":"build-finished","success":true}"#;
        let only = Program {
            name: "a it".to_owned(),
            executable: "/w/target/it-1".into(),
            folder: "/w/crates/a".into(),
        };
        assert_eq!(programs(lines), [only]);
    }

    #[test]
    fn the_failing_programs_are_named() {
        let program = |executable: &str| Program {
            name: format!("package {executable}"),
            executable: executable.into(),
            folder: "/".into(),
        };
        assert!(run(vec![program("true"), program("true")], &[]).is_ok());
        let programs = ["false", "true", "missing", "true", "false"].map(program);
        let error = run(Vec::from(programs), &[]).unwrap_err().to_string();
        let failures = |name| error.matches(&format!("package {name} (")).count();
        let (wrong, missing, right) = (failures("false"), failures("missing"), failures("true"));
        assert_eq!((wrong, missing, right), (2, 1, 0), "{error}");
    }
}
