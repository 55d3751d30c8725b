//! Folders of cases: `NAME.in` goes to standard input, `NAME.out` is what must come out.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The project's own cases for a program.
pub(crate) fn own(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(program)
}

/// Outside cases, where somebody has laid them beside the project.
pub(crate) fn outside(program: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/conformance")
        .join(program);
    if !folder.is_dir() {
        println!("skipped: no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Standard output of the program for this input; it must exit with status 0.
pub(crate) fn output(program: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer
        .join()
        .unwrap()
        .expect("the program reads everything");
    assert!(output.status.success(), "{program}: {}", output.status);
    output.stdout
}

/// Runs every case of the folder; `same` says what counts as equal.
#[track_caller]
pub(crate) fn check_folder(program: &str, folder: &Path, same: impl Fn(&[u8]) -> Vec<Vec<u8>>) {
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() == Some(OsStr::new("in")))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "no case in {}", folder.display());
    for path in inputs {
        let actual = same(&output(program, &fs::read(&path).unwrap()));
        let expected = same(&fs::read(path.with_extension("out")).unwrap());
        for line in 0..actual.len().max(expected.len()) {
            let show = |lines: &[Vec<u8>]| {
                lines
                    .get(line)
                    .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            assert_eq!(
                show(&actual),
                show(&expected),
                "{}: output line {}",
                path.display(),
                line + 1
            );
        }
    }
}

/// Byte for byte: the lines with their ends.
pub(crate) fn exactly(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}
