//! The four programs as they are handed in: small, stripped, one file each.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::step::{cargo, say, step, target};

/// The names of the programs.
pub(crate) const PROGRAMS: [&str; 4] = ["reversi", "othello", "gipf", "mmpawns"];

/// The most bytes that the MMPawns program may have.
const MMPAWNS_BYTES: u64 = 500_000;

/// Builds the programs and returns the folder that holds them.
pub(crate) fn build() -> Result<PathBuf> {
    step(
        "build the programs for handing in",
        &mut cargo(&[
            "build",
            "--quiet",
            "--package",
            "programs",
            "--profile",
            "handin",
            "--bins",
        ]),
    )?;
    let folder = target().join("handin");
    for name in PROGRAMS {
        let path = program(&folder, name);
        let bytes = std::fs::metadata(&path)
            .with_context(|| path.display().to_string())?
            .len();
        say(format_args!("{name}: {bytes} bytes"));
        ensure!(
            name != "mmpawns" || bytes <= MMPAWNS_BYTES,
            "mmpawns has {bytes} bytes, more than {MMPAWNS_BYTES}"
        );
    }
    Ok(folder)
}

/// The path of a program in a folder of builds.
pub(crate) fn program(folder: &std::path::Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
