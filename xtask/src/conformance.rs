//! Folders of cases: `NAME.in` on standard input must give `NAME.out`.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::step::say;

/// Runs every case of the folder; fails at the end if any case differs.
pub(crate) fn run(program: &Path, folder: &Path, loose: bool) -> Result<()> {
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    inputs.retain(|path| path.extension() == Some(OsStr::new("in")));
    inputs.sort();
    ensure!(!inputs.is_empty(), "{}: no file NAME.in", folder.display());
    let mut failed = 0;
    for path in &inputs {
        let expected = path.with_extension("out");
        let expected = fs::read(&expected).with_context(|| expected.display().to_string())?;
        let actual = output(program, path)?;
        if let Some(difference) = first_difference(&expected, &actual, loose) {
            say(format_args!("{}: {difference}", path.display()));
            failed += 1;
        }
    }
    let passed = inputs.len() - failed;
    say(format_args!(
        "{}: {passed} passed, {failed} failed",
        folder.display()
    ));
    if failed > 0 {
        bail!("{failed} of {} cases differ", inputs.len());
    }
    Ok(())
}

fn output(program: &Path, input: &Path) -> Result<Vec<u8>> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| program.display().to_string())?;
    let mut stdin = child.stdin.take().context("standard input is piped")?;
    let text = fs::read(input)?;
    // A program that stops reading early is judged by its output.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&text)));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    Ok(output.stdout)
}

/// The first line that differs, both texts side by side.
fn first_difference(expected: &[u8], actual: &[u8], loose: bool) -> Option<String> {
    let (expected, actual) = (lines(expected, loose), lines(actual, loose));
    let at = (0..expected.len().max(actual.len())).find(|&i| expected.get(i) != actual.get(i))?;
    let show = |lines: &[Vec<u8>]| match lines.get(at) {
        Some(line) => format!("{:?}", String::from_utf8_lossy(line)),
        None => "nothing".to_owned(),
    };
    Some(format!(
        "line {}: expected {}, got {}",
        at + 1,
        show(&expected),
        show(&actual)
    ))
}

fn lines(text: &[u8], loose: bool) -> Vec<Vec<u8>> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    if loose {
        lines
            .map(|line| line.trim_ascii_end().to_vec())
            .filter(|line| !line.is_empty())
            .collect()
    } else {
        lines.map(<[u8]>::to_vec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[track_caller]
    fn check(expected: &str, actual: &str, loose: bool, difference: Option<&str>) {
        let found = first_difference(expected.as_bytes(), actual.as_bytes(), loose);
        assert_eq!(found.as_deref(), difference);
    }

    #[test]
    fn differences() {
        check("a\nb\n", "a\nb\n", false, None);
        check(
            "a\nb\n",
            "a\nb",
            false,
            Some(r#"line 2: expected "b\n", got "b""#),
        );
        check(
            "a\nb\n",
            "a\n",
            false,
            Some(r#"line 2: expected "b\n", got nothing"#),
        );
        check("a  \n\nb\n", "a\nb", true, None);
        check(
            "a\n b\n",
            "a\nb\n",
            true,
            Some(r#"line 2: expected " b", got "b""#),
        );
    }
}
