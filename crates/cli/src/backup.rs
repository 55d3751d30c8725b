//! `ludex backup` and `ludex restore`: a whole course as one file.

use std::path::PathBuf;

use course::store::{BackupError, Checked, backup, check, restore};
use course::{Course, FINALS, STORE};
use tournament::Store;

use crate::error::{bad_input, note};
use crate::input;

/// Write a whole course into one file, also while it is being served
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex backup games101.tar --course games101
  ludex restore games101.tar games101-again")]
pub(crate) struct Backup {
    /// The file
    file: PathBuf,
    /// The folder of the course
    #[arg(long, value_name = "DIR", default_value = ".")]
    course: PathBuf,
}

/// Make a course of a backup
#[derive(clap::Args)]
pub(crate) struct Restore {
    /// The backup
    file: PathBuf,
    /// A folder that is not there, or empty
    folder: PathBuf,
}

pub(crate) fn run_backup(args: &Backup) -> anyhow::Result<()> {
    input::check_place(&args.file)?;
    let course = Course::open(&args.course).map_err(bad_input)?;
    // What cannot be opened is no use as a backup either.
    check(&args.course.join(STORE))?;
    let finals = args.course.join(FINALS);
    if finals.exists() {
        Store::check(&finals)?;
    }
    backup(&course.folder, &args.file).map_err(told)
}

pub(crate) fn run_restore(args: &Restore) -> anyhow::Result<()> {
    input::check_place(&args.folder)?;
    // What is not there, or is no file, was named by mistake.
    let opened = std::fs::File::open(&args.file);
    opened.map_err(|error| bad_input(format!("{}: {error}", args.file.display())))?;
    if restore(&args.file, &args.folder).map_err(told)? == Checked::WithoutList {
        note(format_args!(
            "{}: a backup of an earlier version, without a list of SHA-256: the databases can be read and what was \
             handed in is as it was, but the rest could not be checked",
            args.file.display()
        ));
    }
    Ok(())
}

fn told(error: BackupError) -> anyhow::Error {
    match error {
        BackupError::There(_) | BackupError::Content { .. } => bad_input(error),
        error => error.into(),
    }
}
