//! What the tests need beside cargo, found or installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::step::{command, root, step};

/// Makes sure that a Chromium and its driver are there.
pub(crate) fn browser() -> Result<()> {
    if answers(command("chromedriver", &["--version"])) {
        return Ok(());
    }
    if !answers(command("apt-get", &["--version"])) {
        bail!(
            "chromedriver not found, and no apt-get to install it with: install Chromium and \
             ChromeDriver, or test with --no-browser"
        );
    }
    install("Chromium", &["chromium", "chromium-driver"])?;
    ensure!(
        answers(command("chromedriver", &["--version"])),
        "chromedriver not found after its installation"
    );
    Ok(())
}

/// Makes sure that `bwrap` is there, if it can be installed: hostile programs are tried behind it,
/// too. Where it is not to be had, the tests say that they leave it out.
pub(crate) fn bwrap() -> Result<()> {
    if answers(command("bwrap", &["--version"])) || !answers(command("apt-get", &["--version"])) {
        return Ok(());
    }
    install("bubblewrap", &["bubblewrap"])
}

/// Makes sure that a NATS server is there: tournaments are played on workers through it.
pub(crate) fn nats_server() -> Result<()> {
    if answers(command("nats-server", &["--version"])) {
        return Ok(());
    }
    if !answers(command("apt-get", &["--version"])) {
        bail!("nats-server not found, and no apt-get to install it with: install it");
    }
    install("the NATS server", &["nats-server"])
}

/// Installs packages of the system.
fn install(name: &str, packages: &[&str]) -> Result<()> {
    step(
        "update the package list",
        &mut as_root("apt-get", &["update"]),
    )?;
    let args = [&["install", "-y"], packages].concat();
    step(&format!("install {name}"), &mut as_root("apt-get", &args))
}

/// Where axe-core's script lies, once it is there.
pub(crate) fn axe() -> Result<PathBuf> {
    const VERSION: &str = "axe-core@4.14.0";
    let folder = root().join("target/tools");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder)?;
        let prefix = folder.display().to_string();
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        if !answers(command(npm, &["--version"])) && answers(command("apt-get", &["--version"])) {
            step(
                "install npm",
                &mut as_root("apt-get", &["install", "-y", "npm"]),
            )?;
        }
        ensure!(
            answers(command(npm, &["--version"])),
            "npm not found: install it (it brings axe-core), or test with --no-browser"
        );
        step(
            "install axe-core",
            &mut command(
                npm,
                &[
                    "install",
                    "--no-audit",
                    "--no-fund",
                    "--prefix",
                    &prefix,
                    VERSION,
                ],
            ),
        )?;
    }
    ensure!(script.is_file(), "{} is missing", script.display());
    Ok(script)
}

/// The folder with outside cases, if somebody has laid it beside the project.
pub(crate) fn outside_cases() -> Option<PathBuf> {
    let folder = root()
        .parent()
        .unwrap_or(Path::new("/"))
        .join("shared/conformance");
    folder.is_dir().then_some(folder)
}

fn answers(mut command: Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command itself for root, through sudo for others.
fn as_root(program: &str, args: &[&str]) -> Command {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    if is_root {
        let mut command = command(program, args);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    } else {
        command("sudo", &[&[program], args].concat())
    }
}
