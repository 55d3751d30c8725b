//! The archive of a release for this platform.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::handin;
use crate::licences;
use crate::packages::{platform, shipped};
use crate::step::{cargo, command, root, say, step, target};

/// The shells that get a completion script, with the names of their files.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "ludex.bash"),
    ("fish", "ludex.fish"),
    ("zsh", "_ludex"),
];

/// Builds everything and packs it; says where the archive is.
pub(crate) fn run() -> Result<()> {
    step(
        "build ludex",
        &mut cargo(&[
            "build",
            "--quiet",
            "--locked",
            "--release",
            "--package",
            "cli",
        ]),
    )?;
    let programs = handin::build()?;
    let name = format!("ludex-{}-{}", env!("CARGO_PKG_VERSION"), platform()?);
    let dist = target().join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let ludex = handin::program(&target().join("release"), "ludex");
    copy(&ludex, &folder.join("bin"))?;
    for program in handin::PROGRAMS {
        copy(
            &handin::program(&programs, program),
            &folder.join("programs"),
        )?;
    }
    for (shell, file) in SHELLS {
        let script = output(&ludex, &["completions", shell])?;
        write(&folder.join("completions").join(file), &script)?;
    }
    let manual = folder.join("man/man1");
    fs::create_dir_all(&manual)?;
    output(&ludex, &["man", &manual.display().to_string()])?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(file), &folder)?;
    }
    let texts = licences::texts(&shipped(&["cli", "programs"])?)?;
    write(&folder.join("LICENSES-OF-OTHERS.txt"), texts.as_bytes())?;

    let archive = dist.join(format!("{name}.tar.gz"));
    let path = archive.display().to_string();
    let mut tar = command("tar", &["-czf", &path, &name]);
    step("pack", tar.current_dir(&dist))?;
    say(format_args!(
        "{path}: {} bytes",
        fs::metadata(&archive)?.len()
    ));
    Ok(())
}

/// Copies a file into a folder, which is made where it is missing.
fn copy(file: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let name = file.file_name().context("a file has a name")?;
    let copied = fs::copy(file, folder.join(name));
    copied.with_context(|| file.display().to_string())?;
    Ok(())
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// What a program prints.
fn output(program: &Path, args: &[&str]) -> Result<Vec<u8>> {
    let output = command(program, args).output();
    let output = output.with_context(|| program.display().to_string())?;
    ensure!(
        output.status.success(),
        "{} {args:?}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    Ok(output.stdout)
}
