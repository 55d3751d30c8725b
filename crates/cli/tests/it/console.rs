//! Sessions at a terminal, as files: what is typed and what is to be seen.
//!
//! `$ ludex …` begins a command, `< …` is a line of its standard input, `! …` a line of
//! standard error, `? N` an exit status other than 0; everything else is standard output.
//! `$ cat > NAME` makes a file of the `< …` lines below it.
//! `[..]` stands for any text within a line. Commands of a file run in one new folder.
//! With `LUDEX_BLESS=1` in the environment, files are rewritten with what was seen.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One command of a file.
#[derive(Default)]
struct Step {
    command: String,
    input: Vec<String>,
    /// Output, errors and status, as the file writes them.
    expected: Vec<String>,
}

impl Step {
    /// The name of the file that this step makes, if it is one.
    fn file(&self) -> Option<&str> {
        self.command.strip_prefix("cat > ")
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The names of all files, without their ending.
pub(crate) fn files() -> Vec<String> {
    std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".console").map(str::to_string)
        })
        .collect()
}

fn parse(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                command: command.trim().into(),
                ..Step::default()
            });
            continue;
        }
        let step = steps.last_mut().expect("a file begins with a command");
        match line.strip_prefix("< ").or((line == "<").then_some("")) {
            Some(input) => step.input.push(input.into()),
            None => step.expected.push(line.into()),
        }
    }
    steps
}

/// Splits at blanks outside of double quotes.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// Where `ludex` lies, so that the commands of a session find it as players do.
pub(crate) fn search_path() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ludex"));
    let rest = std::env::var("PATH").unwrap_or_default();
    format!("{}:{rest}", program.parent().unwrap().display())
}

/// Runs a command and writes down what is to be seen.
fn run(step: &Step, folder: &Path) -> Vec<String> {
    if let Some(name) = step.file() {
        let text: String = step.input.iter().map(|line| format!("{line}\n")).collect();
        write_file(&folder.join(name), &text);
        return Vec::new();
    }
    let command = step.command.strip_prefix("ludex").unwrap_or_else(|| {
        panic!("{}: only ludex is known here", step.command);
    });
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(words(command))
        .current_dir(folder)
        .env("PATH", search_path())
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input: String = step.input.iter().map(|line| format!("{line}\n")).collect();
    // A command that does not read its input has closed it: that is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut seen: Vec<String> = text(&output.stdout).lines().map(str::to_string).collect();
    seen.extend(text(&output.stderr).lines().map(|line| format!("! {line}")));
    let status = output.status.code().unwrap();
    if status != 0 {
        seen.push(format!("? {status}"));
    }
    seen
}

/// Writes a file; one that begins with `#!` can be run.
pub(crate) fn write_file(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    if text.starts_with("#!") {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Whether a line is as expected, `[..]` standing for any text.
fn matches(expected: &str, seen: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = seen.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = "";
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        (last, open) = (part, true);
    }
    rest.is_empty() || open && (last.is_empty() || seen.ends_with(last))
}

/// A new empty folder for the commands of a file.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).unwrap();
    scratch
}

/// Runs all commands of a file and compares.
pub(crate) fn check(name: &str) {
    let path = folder().join(format!("{name}.console"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (blessed, failure) = compare(&text, &scratch(name), |line| Some(line.to_string()));
    if std::env::var_os("LUDEX_BLESS").is_some() {
        std::fs::write(&path, blessed).unwrap();
    } else {
        assert!(failure.is_empty(), "{name}: {failure}");
    }
}

/// Runs all commands of a text in a folder: the text with what was seen, and the first
/// difference. Lines are compared as `plain` makes them, if it makes anything of them.
pub(crate) fn compare(
    text: &str,
    folder: &Path,
    plain: impl Fn(&str) -> Option<String>,
) -> (String, String) {
    let mut blessed = String::new();
    let mut failure = String::new();
    for step in &parse(text) {
        let _ = writeln!(blessed, "$ {}", step.command);
        for line in &step.input {
            let _ = writeln!(blessed, "{}", format!("< {line}").trim_end());
        }
        let mut seen = run(step, folder);
        seen.retain(|line| plain(line).is_some());
        let alike = |(e, s): (&String, &String)| match (plain(e), plain(s)) {
            (Some(expected), Some(seen)) => matches(&expected, &seen),
            _ => false,
        };
        let same = seen.len() == step.expected.len() && step.expected.iter().zip(&seen).all(alike);
        let shown = if same { &step.expected } else { &seen };
        for line in shown {
            let _ = writeln!(blessed, "{line}");
        }
        if !same && failure.is_empty() {
            let number = step
                .expected
                .iter()
                .zip(&seen)
                .position(|pair| !alike(pair))
                .unwrap_or(seen.len().min(step.expected.len()));
            let _ = write!(
                failure,
                "{}\nline {}, expected {:?}, seen {:?}",
                step.command,
                number + 1,
                step.expected.get(number),
                seen.get(number),
            );
        }
    }
    (blessed, failure)
}

#[test]
fn any_text_matches_only_where_it_may() {
    assert!(matches("a[..]c", "abbbc"));
    assert!(matches("a[..]", "a"));
    assert!(matches("a[..]b[..]", "axxbyy"));
    assert!(matches("a[..]c", "acc"));
    assert!(!matches("a[..]c", "abbbcd"));
    assert!(!matches("abc", "abcd"));
    assert!(!matches("[..]z", "abc"));
}
