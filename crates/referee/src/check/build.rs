//! Building a program before it is graded: behind the same walls as the program itself.

use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use super::Checker;
use super::failure::ending;
use crate::folder::Given;
use crate::player::program::{Program, fault};
use crate::process::Exit;
use crate::{Kind, Limits, PlayerSpec, RefereeError, Seconds, Size};

/// What a build command said, and what it left in its folder.
pub struct Built {
    exit: Exit,
    limits: Limits,
    given: Rc<Given>,
}

/// What a compiler may use.
fn limits() -> Limits {
    Limits {
        wall: Some(Seconds::from_secs(300)),
        memory: Some(Size::gb(2)),
        output: Some(Size::mb(64)),
        file: Some(Size::mb(256)),
        disk: Some(Size::mb(512)),
        processes: Some(64),
        ..Limits::default()
    }
}

/// Runs a build command in a copy of a folder.
///
/// # Errors
/// If the folder cannot be read. A build that fails is no error.
pub fn build(
    command: &[String],
    folder: &Path,
    checker: &Checker,
    stop: &AtomicBool,
) -> Result<Built, RefereeError> {
    let spec = PlayerSpec {
        folder: Some(folder.to_path_buf()),
        ..PlayerSpec::program(Kind::Argv, command.to_vec())
    };
    let program = Program::new(&spec, checker.isolation().mode)?;
    let limits = limits();
    let (exit, given) = program.run_and_keep(&limits, stop);
    Ok(Built {
        exit,
        limits,
        given: Rc::new(given),
    })
}

impl Built {
    /// Why the build failed, if it did.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        fault(&self.exit, &self.limits).map(|verdict| verdict.to_string())
    }

    /// The end of what the build said on standard error.
    #[must_use]
    pub fn said(&self) -> String {
        ending(&self.exit)
    }

    pub(super) fn given(&self) -> Rc<Given> {
        Rc::clone(&self.given)
    }
}
