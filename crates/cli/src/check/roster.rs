//! Who is graded: a roster (CSV), or a folder with a program or a folder for everyone.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::path::Path;

use referee::check::{Candidate, Subject};
use referee::{CommandLine, Kind, PlayerSpec};
use serde::Deserialize;
use xxhash_rust::xxh3::Xxh3;

use crate::error::bad_input;

/// A student and what was handed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Student {
    pub(super) name: String,
    pub(super) candidate: Candidate,
    /// The command that makes the program in its folder.
    pub(super) build: Option<CommandLine>,
}

/// What holds for everyone who does not say otherwise.
pub(super) struct Usual<'a> {
    pub(super) subject: Subject,
    pub(super) program: Option<&'a str>,
    pub(super) build: Option<&'a str>,
    /// Where the grades go: nobody's program, should it lie among them.
    pub(super) out: &'a Path,
}

/// A line of a roster.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    program: Option<String>,
    folder: Option<String>,
    build: Option<String>,
}

impl Usual<'_> {
    /// Reads a roster, or looks into a folder.
    pub(super) fn read(&self, path: &Path) -> anyhow::Result<Vec<Student>> {
        let students = match path.is_dir() {
            true => self.folder(path)?,
            false => self.roster(path)?,
        };
        if students.is_empty() {
            return Err(bad_input(format!("{}: nobody to grade", path.display())));
        }
        Ok(students)
    }

    fn roster(&self, path: &Path) -> anyhow::Result<Vec<Student>> {
        let shown = path.display();
        let text = crate::input::read_file(path)?;
        let base = path.parent().unwrap_or(Path::new(""));
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(false)
            .from_reader(&text[..]);
        let mut names = BTreeSet::new();
        let mut students = Vec::new();
        for line in reader.deserialize() {
            let line: Line = line.map_err(|error| {
                let at = error.position().map_or(1, csv::Position::line);
                bad_input(format!("{shown}:{at}: {}", csv_error(&error)))
            })?;
            // The line after the head is the second.
            let at = students.len() + 2;
            let bad = |what: String| bad_input(format!("{shown}:{at}: {what}"));
            if line.name.is_empty() {
                return Err(bad("the name is missing".into()));
            }
            if !names.insert(line.name.clone()) {
                return Err(bad(format!("{:?} is there twice", line.name)));
            }
            let filled = |field: Option<String>| field.filter(|text| !text.is_empty());
            let folder = filled(line.folder).map(|folder| base.join(folder));
            if let Some(folder) = folder.as_ref().filter(|folder| !folder.is_dir()) {
                return Err(bad(format!("{} is not a folder", folder.display())));
            }
            let program = filled(line.program).or_else(|| folder.as_ref().map(|_| self.program()));
            let program = program.ok_or_else(|| bad("a program or a folder is wanted".into()))?;
            let mut command = words(&program).map_err(&bad)?;
            if folder.is_none()
                && let Some(first) = command.first_mut().filter(|word| word.contains('/'))
            {
                *first = base.join(&*first).display().to_string();
            }
            let build = filled(line.build).or_else(|| self.build.map(String::from));
            let build = build.map(|build| words(&build)).transpose().map_err(&bad)?;
            if build.is_some() && folder.is_none() {
                return Err(bad("what is built needs a folder".into()));
            }
            students.push(Student {
                name: line.name,
                candidate: Candidate {
                    folder,
                    ..Candidate::new(&command)
                },
                build: build.map(CommandLine),
            });
        }
        Ok(students)
    }

    fn folder(&self, path: &Path) -> anyhow::Result<Vec<Student>> {
        let failed = |error| bad_input(format!("{}: {error}", path.display()));
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            entries.push(entry.map_err(failed)?.path());
        }
        entries.sort();
        let mut students = Vec::new();
        for entry in entries {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            let grades = self.out.canonicalize().is_ok_and(|out| {
                let entry = entry.canonicalize();
                entry.is_ok_and(|entry| entry == out)
            });
            if grades {
                continue;
            }
            if name.starts_with('.') {
                crate::error::note(format_args!(
                    "note: {} is hidden and left out; a roster can name it",
                    entry.display()
                ));
                continue;
            }
            if entry.is_symlink() {
                crate::error::note(format_args!(
                    "note: {} is a link and is not followed; a roster can name what it leads to",
                    entry.display()
                ));
                continue;
            }
            let candidate = if entry.is_dir() {
                Candidate {
                    folder: Some(entry.clone()),
                    ..Candidate::new(&words(&self.program()).map_err(bad_input)?)
                }
            } else if is_executable(&entry) {
                let program = std::path::absolute(&entry).unwrap_or(entry.clone());
                Candidate::new(&[program.display().to_string()])
            } else {
                crate::error::note(format_args!(
                    "note: {} is neither a program nor a folder",
                    entry.display()
                ));
                continue;
            };
            let build = self.build.filter(|_| candidate.folder.is_some());
            let build = build.map(words).transpose().map_err(bad_input)?;
            students.push(Student {
                name: name.into_owned(),
                candidate,
                build: build.map(CommandLine),
            });
        }
        Ok(students)
    }

    /// The program in a student's folder.
    fn program(&self) -> String {
        let usual = || format!("./{}", self.subject);
        self.program.map_or_else(usual, String::from)
    }
}

fn words(command: &str) -> Result<Vec<String>, String> {
    let command: Result<CommandLine, _> = command.parse();
    command
        .map(|command| command.0)
        .map_err(|error| error.to_string())
}

/// What is wrong with a line, without its place, which stands before it.
fn csv_error(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.kind().to_string(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("{len} fields, not {expected_len}")
        }
        _ => error.to_string(),
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let data = path.metadata();
    data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

impl Student {
    /// A number that changes with what was handed in, and with how it is graded.
    pub(super) fn fingerprint(&self, options: &str) -> String {
        let spec = PlayerSpec {
            folder: self.candidate.folder.clone(),
            ..PlayerSpec::program(Kind::Argv, self.candidate.command.clone())
        };
        // What cannot be read cannot be graded either.
        let files = spec.fingerprint().unwrap_or_default();
        let mut hash = Xxh3::new();
        hash.write(options.as_bytes());
        hash.write(format!("{:?} {:?} {files}", self.candidate.command, self.build).as_bytes());
        format!("{:016x}", hash.finish())
    }

    /// The name as a file: letters, digits and dashes.
    pub(super) fn file_name(&self) -> String {
        let plain = |c: char| match c {
            c if c.is_alphanumeric() || "-_.".contains(c) => c,
            _ => '_',
        };
        let name: String = self.name.chars().map(plain).collect();
        let name = name.trim_start_matches('.');
        // No file system takes more than 255 bytes, with an ending.
        const LONGEST: usize = 120;
        if name.len() <= LONGEST {
            return name.into();
        }
        let short = &name[..name.floor_char_boundary(LONGEST)];
        format!(
            "{short}-{:016x}",
            xxhash_rust::xxh3::xxh3_64(self.name.as_bytes())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual(out: &Path) -> Usual<'_> {
        Usual {
            subject: Subject::Othello,
            program: None,
            build: None,
            out,
        }
    }

    #[track_caller]
    fn check(roster: &str, expected: Result<&[(&str, &str)], &str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.csv");
        std::fs::create_dir(folder.path().join("hand in")).unwrap();
        std::fs::write(&path, roster).unwrap();
        let read = usual(Path::new("grades")).read(&path);
        let plain = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
        match (read, expected) {
            (Ok(students), Ok(expected)) => {
                let found: Vec<(String, String)> = students
                    .into_iter()
                    .map(|s| (s.name, plain(s.candidate.command.join(" "))))
                    .collect();
                let expected = expected.iter().map(|(a, b)| (a.to_string(), b.to_string()));
                assert_eq!(found, expected.collect::<Vec<_>>());
            }
            (Err(error), Err(expected)) => assert_eq!(plain(error.to_string()), expected),
            (read, expected) => panic!("{read:?}, not {expected:?}"),
        }
    }

    #[test]
    fn rosters_are_read_and_their_faults_named() {
        check(
            "name,program\nAnna Berg,./anna bot/othello\nBruno,python3 bot.py\n",
            Ok(&[
                ("Anna Berg", "./anna bot/othello"),
                ("Bruno", "python3 bot.py"),
            ]),
        );
        check("name,folder\nAnna,hand in\n", Ok(&[("Anna", "./othello")]));
        check("name,program\n", Err("class.csv: nobody to grade"));
        check("name,program\nAnna\n", Err("class.csv:2: 1 fields, not 2"));
        check("program\n./x\n", Err("class.csv:2: missing field `name`"));
        check(
            "name,program\n,./x\n",
            Err("class.csv:2: the name is missing"),
        );
        check(
            "name,program\nAnna,./x\nAnna,./y\n",
            Err("class.csv:3: \"Anna\" is there twice"),
        );
        check(
            "name,folder\nAnna,gone\n",
            Err("class.csv:2: gone is not a folder"),
        );
        check(
            "name,program\nAnna,\n",
            Err("class.csv:2: a program or a folder is wanted"),
        );
        check(
            "name,program,build\nAnna,./x,make\n",
            Err("class.csv:2: what is built needs a folder"),
        );
        check(
            "name,programme\nAnna,./x\n",
            Err(
                "class.csv:2: unknown field `programme`, expected one of `name`, `program`, `folder`, `build`",
            ),
        );
    }

    #[test]
    fn every_name_fits_into_a_file_name() {
        let mut student = Student {
            name: String::new(),
            candidate: Candidate::new(&["./x".into()]),
            build: None,
        };
        for (name, other) in [
            ("ż".repeat(200), "ż".repeat(201)),
            ("a b".into(), "..a".into()),
        ] {
            student.name = name;
            let first = student.file_name();
            student.name = other;
            assert!(first.len() < 200 && first != student.file_name(), "{first}");
        }
    }
}
