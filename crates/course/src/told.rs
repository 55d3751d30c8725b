//! Trouble that goes on is told once: the log is only ever added to.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::open_course::{OpenCourse, locked};

/// What was told last about everything that is in trouble.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<HashMap<String, String>>);

impl Told {
    /// Whether this has not just been told about the same thing. Times and sizes differ whenever
    /// something is tried, so figures are not compared.
    pub(crate) fn is_new(&self, about: &str, what: &str) -> bool {
        let words: String = what.chars().filter(|c| !c.is_ascii_digit()).collect();
        let before = locked(&self.0).insert(about.into(), words.clone());
        before != Some(words)
    }

    /// The trouble is over: what comes next is new.
    pub(crate) fn is_over(&self, about: &str) {
        locked(&self.0).remove(about);
    }
}

impl OpenCourse {
    /// Tells staff what is wrong with something, in the log, unless it is what was told last.
    pub(crate) fn tell(&self, about: &str, what: &str) {
        if self.told.is_new(about, what) {
            // If even that cannot be written, there is nobody to tell it to.
            let _ = self.store.note(None, what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_is_told_once() {
        let told = Told::default();
        assert!(told.is_new("a", "the disk is full"));
        assert!(!told.is_new("a", "the disk is full"));
        assert!(told.is_new("b", "the disk is full"));
        assert!(told.is_new("a", "wall time 2.1 s over 1 s"));
        assert!(!told.is_new("a", "wall time 3.4 s over 1 s"));
        told.is_over("a");
        assert!(told.is_new("a", "wall time 3.4 s over 1 s"));
    }
}
