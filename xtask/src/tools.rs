//! What the tests need beside cargo, found or installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::step::{command, root, step};

/// A program that tests need, and how it is had.
pub(crate) struct Tool {
    program: &'static str,
    /// The packages of the system that bring it.
    packages: &'static [&'static str],
    /// What to do where it cannot be installed; nothing if the tests do without it, and say so.
    advice: Option<&'static str>,
}

/// Chromium and its driver.
pub(crate) const BROWSER: Tool = Tool {
    program: "chromedriver",
    packages: &["chromium", "chromium-driver"],
    advice: Some("install Chromium and ChromeDriver, or test with --no-browser"),
};

/// Hostile programs are tried behind it, too.
pub(crate) const BWRAP: Tool = Tool {
    program: "bwrap",
    packages: &["bubblewrap"],
    advice: None,
};

/// Tournaments are played on workers through it.
pub(crate) const NATS_SERVER: Tool = Tool {
    program: "nats-server",
    packages: &["nats-server"],
    advice: Some("install it"),
};

/// It brings axe-core.
const NPM: Tool = Tool {
    program: if cfg!(windows) { "npm.cmd" } else { "npm" },
    packages: &["npm"],
    advice: Some("install it (it brings axe-core), or test with --no-browser"),
};

impl Tool {
    fn is_there(&self) -> bool {
        answers(command(self.program, &["--version"]))
    }
}

/// Makes sure that these tools are there. All that are missing are installed together.
pub(crate) fn install(tools: &[&Tool]) -> Result<()> {
    let missing: Vec<&&Tool> = tools.iter().filter(|tool| !tool.is_there()).collect();
    let packages: Vec<&str> = missing.iter().flat_map(|t| t.packages).copied().collect();
    if !packages.is_empty() && answers(command("apt-get", &["--version"])) {
        step(
            "update the package list",
            &mut as_root("apt-get", &["update"]),
        )?;
        let args = [&["install", "-y"], &packages[..]].concat();
        let name = format!("install {}", packages.join(", "));
        step(&name, &mut as_root("apt-get", &args))?;
    }
    for Tool {
        program, advice, ..
    } in missing.into_iter().filter(|tool| !tool.is_there())
    {
        if let Some(advice) = advice {
            bail!("{program} not found, and not installed with apt-get: {advice}");
        }
    }
    Ok(())
}

/// Where axe-core lies, once it is there.
fn axe_folder() -> PathBuf {
    root().join("target/tools")
}

/// The script of axe-core, once it is there.
fn axe_script() -> PathBuf {
    axe_folder().join("node_modules/axe-core/axe.min.js")
}

/// What tests in a browser need.
pub(crate) fn for_browser() -> Vec<&'static Tool> {
    match axe_script().is_file() {
        true => vec![&BROWSER],
        false => vec![&BROWSER, &NPM],
    }
}

/// The script of axe-core, installed with npm.
pub(crate) fn axe() -> Result<PathBuf> {
    const VERSION: &str = "axe-core@4.14.0";
    let (folder, script) = (axe_folder(), axe_script());
    if !script.is_file() {
        std::fs::create_dir_all(&folder)?;
        let prefix = folder.display().to_string();
        step(
            "install axe-core",
            &mut command(
                NPM.program,
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
