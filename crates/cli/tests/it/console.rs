//! Sessions at a terminal, as files: what is typed and what is to be seen.
//!
//! `$ ludex …` begins a command, `< …` is a line of its standard input, `! …` a line of
//! standard error, `? N` an exit status other than 0; everything else is standard output.
//! `$ cat > NAME` makes a file of the `< …` lines below it.
//! `[..]` stands for any text within a line. Commands of a file run in one new folder.
//! With `SNAPSHOTS=overwrite` in the environment, files are rewritten with what was seen.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use snapbox::data::DataFormat;
use snapbox::{Assert, Data, IntoData};

/// One command of a file.
#[derive(Default)]
struct Step {
    command: String,
    input: Vec<String>,
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
        let input = line.strip_prefix("< ").or((line == "<").then_some(""));
        step.input.extend(input.map(str::to_string));
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
    let seen = seen(&text, &scratch(name));
    compare(&seen, Data::read_from(&path, Some(DataFormat::Text)));
}

/// Compares what was seen with what is expected, in which `[..]` stands for any text.
pub(crate) fn compare(seen: &str, expected: impl IntoData) {
    let assert = Assert::new().normalize_paths(false);
    assert.action_env("SNAPSHOTS").eq(seen, expected);
}

/// Runs all commands of a text in a folder: the text as it would have to be.
pub(crate) fn seen(text: &str, folder: &Path) -> String {
    let mut seen = String::new();
    for step in &parse(text) {
        let _ = writeln!(seen, "$ {}", step.command);
        for line in &step.input {
            let _ = writeln!(seen, "{}", format!("< {line}").trim_end());
        }
        for line in run(step, folder) {
            let _ = writeln!(seen, "{line}");
        }
    }
    seen
}
