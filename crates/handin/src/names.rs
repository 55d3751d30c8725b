//! Names of files that strangers chose: what they may be, and when two are too much alike.

use std::collections::BTreeMap;

use icu_normalizer::ComposingNormalizerBorrowed;
use referee::LONGEST_PATH;

use crate::refusal::{Refusal, shown};

/// No file system takes a longer name.
const LONGEST_NAME: usize = 255;

/// What systems and editors put beside files, and nobody hands in on purpose.
const NOISE: [&str; 10] = [
    "__MACOSX",
    ".DS_Store",
    ".AppleDouble",
    "Thumbs.db",
    "desktop.ini",
    ".git",
    ".svn",
    ".idea",
    ".vscode",
    "__pycache__",
];

/// What comes of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// A path of plain names from the top.
    Path(String),
    /// The top itself.
    Top,
    /// Something that nobody hands in on purpose.
    Noise(String),
}

/// Reads a name as it stands in an archive or in a form.
pub(crate) fn read(raw: &[u8], depth: usize) -> Result<Name, Refusal> {
    let Ok(text) = str::from_utf8(raw) else {
        let name = String::from_utf8_lossy(raw);
        let what = "the name of the file is not in UTF-8; rename it to plain letters";
        return Err(Refusal::of(&name, what));
    };
    let refused = |what: &str| Err(Refusal::of(text, what));
    // Some programs write paths as Windows does.
    let path = text.replace('\\', "/");
    let is_drive =
        path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if path.starts_with('/') || is_drive {
        return refused("an absolute path");
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => continue,
            ".." => return refused("a path that leads out of the hand-in"),
            _ => {}
        }
        if referee::printable(part) != part {
            return refused("the name has characters that cannot be printed");
        }
        let part = ComposingNormalizerBorrowed::new_nfc().normalize(part);
        if part.len() > LONGEST_NAME {
            return refused("the name is longer than 255 bytes");
        }
        parts.push(part.into_owned());
    }
    let path = parts.join("/");
    // Composed characters may have more bytes than what they were composed of.
    if path.len() > LONGEST_PATH {
        return refused("the path is longer than 1024 bytes");
    }
    if parts.len() > depth {
        return refused(&format!("folders are nested more than {depth} deep"));
    }
    let is_noise = |part: &String| NOISE.contains(&part.as_str()) || part.starts_with("._");
    Ok(match parts.iter().any(is_noise) {
        _ if path.is_empty() => Name::Top,
        true => Name::Noise(path),
        false => Name::Path(path),
    })
}

/// All paths so far, so that no two files, nor a file and a folder, go by one name: not even where
/// upper and lower case are one.
#[derive(Default)]
pub(crate) struct Paths(BTreeMap<String, (String, bool)>);

impl Paths {
    /// Takes note of a file.
    pub(crate) fn add(&mut self, path: &str) -> Result<(), Refusal> {
        for (cut, _) in path.match_indices('/') {
            self.note(&path[..cut], true)?;
        }
        self.note(path, false)
    }

    fn note(&mut self, path: &str, folder: bool) -> Result<(), Refusal> {
        let Some((known, was_folder)) = self.0.get(&folded(path)) else {
            self.0.insert(folded(path), (path.into(), folder));
            return Ok(());
        };
        let refused = |what: String| Err(Refusal::new(what));
        match (known == path, *was_folder, folder) {
            (true, true, true) => Ok(()),
            (true, false, false) => refused(format!("{}: there are two of it", shown(path))),
            (true, _, _) => refused(format!("{}: a file and a folder", shown(path))),
            (false, _, _) => refused(format!(
                "{} and {} differ only in upper and lower case",
                shown(known),
                shown(path)
            )),
        }
    }
}

/// A path without the difference between upper and lower case.
fn folded(path: &str) -> String {
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    nfc.normalize(&path.to_lowercase()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &[u8], expected: &str) {
        let found = match read(raw, 4) {
            Ok(Name::Path(path)) => path,
            Ok(Name::Top) => "(top)".into(),
            Ok(Name::Noise(path)) => format!("noise {path}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn names_are_cleaned_or_refused() {
        check(b"a/b.c", "a/b.c");
        check(b"./a//b.c", "a/b.c");
        check(b"./", "(top)");
        check(br"src\bot.c", "src/bot.c");
        check("zo\u{308}e.c".as_bytes(), "z\u{f6}e.c");
        check(b"__MACOSX/a/._b.c", "noise __MACOSX/a/._b.c");
        check(b"a/.DS_Store", "noise a/.DS_Store");
        check(b".cargo/config.toml", ".cargo/config.toml");
        check(b"/etc/passwd", "/etc/passwd: an absolute path");
        check(br"C:\bot.c", r"C:\bot.c: an absolute path");
        check(
            br"a\..\..\b",
            r"a\..\..\b: a path that leads out of the hand-in",
        );
        check(
            b"a/../../b",
            "a/../../b: a path that leads out of the hand-in",
        );
        check(
            b"a\x1b[2J.c",
            "a\u{fffd}[2J.c: the name has characters that cannot be printed",
        );
        check(
            b"a\0b",
            "a\u{fffd}b: the name has characters that cannot be printed",
        );
        check(
            "\u{202e}c.tob".as_bytes(),
            "\u{fffd}c.tob: the name has characters that cannot be printed",
        );
        check(
            b"b\xf6t.c",
            "b\u{fffd}t.c: the name of the file is not in UTF-8; rename it to plain letters",
        );
        check(
            b"a/b/c/d/e",
            "a/b/c/d/e: folders are nested more than 4 deep",
        );
        let long = "x".repeat(300);
        let cut = &long[..160];
        check(
            long.as_bytes(),
            &format!("{cut}…: the name is longer than 255 bytes"),
        );
        let long = "x/".repeat(600);
        let cut = &long[..160];
        check(
            long.as_bytes(),
            &format!("{cut}…: the path is longer than 1024 bytes"),
        );
        // A character of four bytes that becomes three of them.
        let folder = "\u{1d160}".repeat(21);
        check(folder.as_bytes(), &"\u{1d158}\u{1d165}\u{1d16e}".repeat(21));
        let grows = vec![folder; 5].join("/");
        match read(grows.as_bytes(), 16) {
            Err(refusal) => assert!(refusal.what.ends_with("longer than 1024 bytes")),
            Ok(name) => panic!("{name:?}"),
        }
    }

    #[track_caller]
    fn alike(paths: &[&str], expected: Option<&str>) {
        let mut all = Paths::default();
        let found = paths.iter().try_for_each(|path| all.add(path));
        let found = found.err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn no_two_names_are_alike() {
        alike(&["a/b", "a/c", "d"], None);
        alike(&["a/b", "a/b"], Some("a/b: there are two of it"));
        alike(
            &["a/Bot.c", "a/bot.c"],
            Some("a/Bot.c and a/bot.c differ only in upper and lower case"),
        );
        alike(
            &["Src/a.c", "src/b.c"],
            Some("Src and src differ only in upper and lower case"),
        );
        alike(&["a", "a/b"], Some("a: a file and a folder"));
        alike(&["a/b", "a"], Some("a: a file and a folder"));
        alike(
            &["Ö.c", "ö.c"],
            Some("Ö.c and ö.c differ only in upper and lower case"),
        );
    }
}
