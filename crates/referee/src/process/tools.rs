//! Where the programs are that builds start by their names.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::plan::find_program;

/// The file of a program that is named as in a shell. Where the name leads to `rustup`, which
/// picks one of several compilers and is no use behind walls, it is the compiler that it picks.
///
/// # Errors
/// If there is no such program.
pub fn find_tool(name: &str) -> io::Result<PathBuf> {
    let found = find_program(name)?;
    let real = found.canonicalize()?;
    match real.file_name() == Some(OsStr::new("rustup")) && !name.ends_with("rustup") {
        true => behind_rustup(&real, &found),
        false => Ok(found),
    }
}

/// The program that `rustup` starts under this name; asked once, since it takes its time.
fn behind_rustup(rustup: &Path, proxy: &Path) -> io::Result<PathBuf> {
    static PICKED: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());
    let picked = || PICKED.lock().unwrap_or_else(PoisonError::into_inner);
    // One that was removed meanwhile is looked for again.
    if let Some(known) = picked().get(proxy).filter(|known| known.is_file()) {
        return Ok(known.clone());
    }
    let found = ask_rustup(rustup, proxy)?;
    picked().insert(proxy.into(), found.clone());
    Ok(found)
}

fn ask_rustup(rustup: &Path, proxy: &Path) -> io::Result<PathBuf> {
    let name = proxy.file_name().unwrap_or_default();
    let answer = Command::new(rustup)
        .arg("which")
        .arg(name)
        // No file of a working folder decides which one it is.
        .current_dir("/")
        .stdin(Stdio::null())
        .output()?;
    let path = String::from_utf8_lossy(&answer.stdout);
    let path = Path::new(path.trim());
    if answer.status.success() && path.is_absolute() && path.is_file() {
        // A toolchain may be a link to another; behind walls there are only real folders.
        return path.canonicalize();
    }
    let what = format!("{}: rustup has no such program", name.display());
    Err(io::Error::new(io::ErrorKind::NotFound, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rustup_picks_is_found() {
        assert!(find_tool("sh").unwrap().is_absolute());
        assert_eq!(
            find_tool("no-such").unwrap_err().to_string(),
            "no-such: no such program"
        );
        // Wherever there is no Rust, nothing is built with it either.
        if let Ok(found) = find_tool("rustc") {
            let real = found.canonicalize().unwrap();
            assert_ne!(real.file_name(), Some(OsStr::new("rustup")));
            assert_eq!(find_tool("rustc").unwrap(), found);
        }
    }
}
