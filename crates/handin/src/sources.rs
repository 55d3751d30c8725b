//! A folder of sources.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The files of a hand-in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sources {
    /// The files, in the order of their paths.
    pub files: Vec<SourceFile>,
    /// What was left out since nobody hands it in on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// SHA-256 of all paths and contents, in hex.
    pub hash: String,
}

/// A file of a hand-in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path from the top.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is a program by its first bytes.
    #[serde(default)]
    pub runnable: bool,
}

/// The hash of the sources in a folder: SHA-256 of the list that `sha256sum` prints of all files, in
/// the order of their paths.
///
/// # Errors
/// If a file cannot be read.
pub fn hash(folder: &Path) -> io::Result<String> {
    Sources::of(folder).map(|sources| sources.hash)
}

impl Sources {
    /// The sources in a folder. Links are not followed, and nothing but files counts.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn of(folder: &Path) -> io::Result<Sources> {
        let mut paths = Vec::new();
        let mut left = vec![PathBuf::new()];
        while let Some(way) = left.pop() {
            for entry in fs::read_dir(folder.join(&way))? {
                let entry = entry?;
                let (kind, path) = (entry.file_type()?, way.join(entry.file_name()));
                if kind.is_dir() {
                    left.push(path);
                } else if kind.is_file() {
                    paths.push(path);
                }
            }
        }
        let named = |path: &PathBuf| path.display().to_string();
        let mut named: Vec<(String, PathBuf)> =
            paths.iter().map(named).zip(paths.clone()).collect();
        named.sort();
        let mut list = List::default();
        for (name, path) in named {
            list.add(&name, &fs::read(folder.join(path))?);
        }
        Ok(list.finish(Vec::new()))
    }

    /// The sources that these files are.
    pub(crate) fn from_files(files: &[(String, Vec<u8>)], skipped: Vec<String>) -> Sources {
        let mut list = List::default();
        for (path, content) in files {
            list.add(path, content);
        }
        list.finish(skipped)
    }
}

#[derive(Default)]
struct List {
    files: Vec<SourceFile>,
    hashes: String,
}

impl List {
    fn add(&mut self, path: &str, content: &[u8]) {
        self.hashes += &format!("{}  {path}\n", referee::hash(content));
        self.files.push(SourceFile {
            path: path.into(),
            size: content.len() as u64,
            runnable: referee::is_runnable(content),
        });
    }

    fn finish(self, skipped: Vec<String>) -> Sources {
        Sources {
            files: self.files,
            skipped,
            hash: referee::hash(self.hashes.as_bytes()),
        }
    }
}
