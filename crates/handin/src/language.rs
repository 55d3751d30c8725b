//! What hand-ins are written in: how to tell, how to build, and how to run.

use std::fmt;
use std::path::{Path, PathBuf};

use referee::{CommandLine, find_tool};
use serde::{Deserialize, Serialize};

use crate::refusal::{Refusal, shown};
use crate::sources::{SourceFile, Sources};

/// A language that programs may be handed in in.
///
/// Commands are words, not lines for a shell. In them `{sources}` stands for all files of the
/// language, `{main}` for the one that the program begins in, and `{class}` for the class in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// What people call it.
    pub name: String,
    /// The endings of its files, without the dot; none for programs that are ready to run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
    /// A file at the top that tells hand-ins in it from all others, as `Cargo.toml` does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The command that makes the program, if one is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The command that runs it.
    pub run: String,
    /// Programs that must be installed; without any, those that the commands begin with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Files and folders that builds and programs may read besides the system's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<PathBuf>,
}

/// A language that cannot be used here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Which language.
    pub language: String,
    /// What it needs that is not installed.
    pub program: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} is not installed", self.language, self.program)
    }
}

impl std::error::Error for Missing {}

/// Cargo leaves much beside the program, none of which is kept.
const CARGO: &str = r#"sh -c '
export CARGO_HOME="$TMPDIR/.cargo-home" CARGO_TARGET_DIR="$TMPDIR/.cargo-target"
cargo build --release --offline --jobs 2 || exit
set -- $(find "$CARGO_TARGET_DIR/release" -maxdepth 1 -type f -perm -u+x)
if [ $# != 1 ]; then echo "the package makes $# programs, not one" >&2; exit 1; fi
cp "$1" program && rm -rf "$CARGO_HOME" "$CARGO_TARGET_DIR"'"#;

impl Language {
    /// C, C++, Rust with and without Cargo, Python, Java, and programs that are ready to run.
    #[must_use]
    pub fn standard() -> Vec<Language> {
        let language = |name: &str, extensions: &[&str], build: &str, run: &str| Language {
            name: name.into(),
            extensions: extensions.iter().map(|e| (*e).into()).collect(),
            file: None,
            build: (!build.is_empty()).then(|| build.into()),
            run: run.into(),
            needs: Vec::new(),
            read: Vec::new(),
        };
        vec![
            language(
                "C",
                &["c"],
                "gcc -std=gnu17 -O2 -Wall -pthread -o program {sources} -lm",
                "./program",
            ),
            language(
                "C++",
                &["cpp", "cc", "cxx", "c++"],
                "g++ -std=gnu++20 -O2 -Wall -pthread -o program {sources}",
                "./program",
            ),
            Language {
                file: Some("Cargo.toml".into()),
                needs: vec!["cargo".into(), "rustc".into(), "cc".into()],
                ..language("Rust with Cargo", &[], CARGO, "./program")
            },
            Language {
                needs: vec!["rustc".into(), "cc".into()],
                ..language(
                    "Rust",
                    &["rs"],
                    "rustc --edition 2021 -O -o program {main}",
                    "./program",
                )
            },
            // Modules are compiled once, not in every run; and nothing is written by a run.
            language(
                "Python",
                &["py"],
                "python3 -m compileall -q --invalidation-mode unchecked-hash .",
                "python3 -B {main}",
            ),
            language(
                "Java",
                &["java"],
                "javac -J-XX:+UseSerialGC -encoding UTF-8 -d . {sources}",
                "java -XX:+UseSerialGC -cp . {class}",
            ),
            language("executable", &[], "", "{main}"),
        ]
    }

    /// Checks a language that a teacher wrote: what is wrong with it.
    ///
    /// # Errors
    /// If a command is empty, or something to be read is not there.
    pub fn check(&self) -> Result<(), String> {
        let words = |what: &str, line: &str| match line.parse::<CommandLine>() {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("language {:?}: {what} is empty", self.name)),
        };
        if self.name.trim().is_empty() {
            return Err("a language without a name".into());
        }
        words("run", &self.run)?;
        if let Some(build) = &self.build {
            words("build", build)?;
        }
        if let Some(bad) = self.extensions.iter().find(|e| e.starts_with('.')) {
            return Err(format!(
                "language {:?}: extension {bad:?} begins with a dot",
                self.name
            ));
        }
        self.read.iter().try_for_each(|path| {
            referee::check_read(path).map_err(|error| format!("language {:?}: {error}", self.name))
        })
    }

    /// Whether it can be used on this machine.
    ///
    /// # Errors
    /// If a program that it needs is not installed.
    pub fn installed(&self) -> Result<(), Missing> {
        let missing = self
            .programs()
            .into_iter()
            .find(|name| find_tool(name).is_err());
        missing.map_or(Ok(()), |program| {
            Err(Missing {
                language: self.name.clone(),
                program,
            })
        })
    }

    /// The programs that it needs.
    #[must_use]
    pub fn programs(&self) -> Vec<String> {
        if !self.needs.is_empty() {
            return self.needs.clone();
        }
        let lines = self.build.iter().chain([&self.run]);
        let first = lines.filter_map(|line| words(line).into_iter().next());
        let mut found: Vec<String> = first
            .filter(|word| !word.starts_with("./") && !word.contains('{'))
            .collect();
        found.dedup();
        found
    }

    /// The language of a hand-in.
    ///
    /// # Errors
    /// If it is in none of these languages, or in several.
    pub fn of<'a>(sources: &Sources, languages: &'a [Language]) -> Result<&'a Language, Refusal> {
        let named = |language: &&Language| {
            let file = language.file.as_ref();
            file.is_some_and(|file| sources.files.iter().any(|source| source.path == *file))
        };
        if let Some(language) = languages.iter().find(named) {
            return Ok(language);
        }
        let mut found: Vec<(&Language, &SourceFile)> = Vec::new();
        for language in languages.iter().filter(|language| language.file.is_none()) {
            let file = sources.files.iter().find(|file| language.has(&file.path));
            found.extend(file.map(|file| (language, file)));
        }
        match found[..] {
            [(language, _)] => return Ok(language),
            [(one, first), (other, second), ..] => {
                return Err(Refusal::new(format!(
                    "{} is {} and {} is {}: hand in one language",
                    shown(&first.path),
                    one.name,
                    shown(&second.path),
                    other.name
                )));
            }
            [] => {}
        }
        let ready =
            |language: &&Language| language.extensions.is_empty() && language.file.is_none();
        match languages.iter().find(ready) {
            Some(language) if sources.files.iter().any(|file| file.runnable) => Ok(language),
            _ => Err(none_of(sources, languages)),
        }
    }

    /// Whether a file is in this language.
    fn has(&self, path: &str) -> bool {
        let ending = Path::new(path)
            .extension()
            .and_then(|ending| ending.to_str());
        let alike = |known: &String| ending.is_some_and(|e| e.eq_ignore_ascii_case(known));
        self.extensions.iter().any(alike)
    }

    /// The words of a command for these sources, of which `read` gives the text.
    pub(crate) fn command(
        &self,
        line: &str,
        sources: &Sources,
        read: &dyn Fn(&str) -> String,
    ) -> Result<Vec<String>, Refusal> {
        let mut command = Vec::new();
        for word in words(line) {
            if word == "{sources}" {
                let own = sources.files.iter().filter(|file| self.has(&file.path));
                command.extend(own.map(|file| format!("./{}", file.path)));
                continue;
            }
            let mut word = word;
            if word.contains("{main}") {
                word = word.replace("{main}", &format!("./{}", self.main(sources)?));
            }
            if word.contains("{class}") {
                let main = self.main(sources)?;
                word = word.replace("{class}", &class(main, &read(main)));
            }
            command.push(word);
        }
        Ok(command)
    }

    /// The file that the program begins in: the only one, or the one that is called so.
    fn main<'a>(&self, sources: &'a Sources) -> Result<&'a str, Refusal> {
        let ready = self.extensions.is_empty();
        let own = |file: &&SourceFile| {
            if ready {
                file.runnable
            } else {
                self.has(&file.path)
            }
        };
        let own: Vec<&str> = sources
            .files
            .iter()
            .filter(own)
            .map(|f| f.path.as_str())
            .collect();
        let is_main = |path: &&&str| {
            let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
            stem.is_some_and(|stem| stem.eq_ignore_ascii_case("main"))
        };
        if let [only] = own[..] {
            return Ok(only);
        }
        // Of several the one that is nearest to the top.
        let depth = |path: &&&str| path.matches('/').count();
        own.iter()
            .filter(is_main)
            .min_by_key(depth)
            .copied()
            .ok_or_else(|| {
                let ending = self
                    .extensions
                    .first()
                    .map_or(String::new(), |e| format!(".{e}"));
                match own.first() {
                    None => Refusal::new(format!("no file of {} was handed in", self.name)),
                    Some(one) => Refusal::new(format!(
                        "{} files of {} ({}, …), and none of them is main{ending}",
                        own.len(),
                        self.name,
                        shown(one)
                    )),
                }
            })
    }
}

/// Why no language fits.
fn none_of(sources: &Sources, languages: &[Language]) -> Refusal {
    let inner = |file: &&SourceFile| {
        let path = file.path.to_lowercase();
        [".zip", ".gz", ".tgz", ".tar", ".jar", ".7z", ".rar"]
            .iter()
            .any(|e| path.ends_with(e))
    };
    if let Some(inner) = sources.files.iter().find(inner) {
        return Refusal::of(
            &inner.path,
            "an archive in an archive; hand in what is in it",
        );
    }
    let known: Vec<String> = languages
        .iter()
        .map(
            |language| match (&language.file, language.extensions.first()) {
                (Some(file), _) => format!("{} ({file})", language.name),
                (None, Some(_)) => {
                    let endings: Vec<String> = language
                        .extensions
                        .iter()
                        .map(|e| format!(".{e}"))
                        .collect();
                    format!("{} ({})", language.name, endings.join(", "))
                }
                (None, None) => language.name.clone(),
            },
        )
        .collect();
    let first = sources.files.first().map_or("", |file| file.path.as_str());
    Refusal::of(
        first,
        format!(
            "no source in a language of this course: {}",
            known.join(", ")
        ),
    )
}

/// The class in a file of Java: its name, and the package that the file says it is in.
fn class(path: &str, text: &str) -> String {
    let stem = Path::new(path)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let package = text.lines().find_map(|line| {
        let name = line
            .trim()
            .strip_prefix("package ")?
            .split(';')
            .next()?
            .trim();
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
        (!name.is_empty() && name.chars().all(plain)).then(|| name.to_string())
    });
    match package {
        Some(package) => format!("{package}.{stem}"),
        None => stem.into_owned(),
    }
}

/// The words of a command.
fn words(line: &str) -> Vec<String> {
    line.parse::<CommandLine>()
        .map(|line| line.0)
        .unwrap_or_default()
}
