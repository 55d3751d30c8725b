//! What students hand in, up to a program that the referee can start.
//!
//! [`unpack`] turns uploaded files and archives into a folder of sources, or refuses them with
//! one line. [`Language::of`] says what they are written in, and [`build`] makes a program of
//! them behind the referee's walls. Nothing here knows of people, deadlines or pages.
//!
//! ```
//! use handin::{ArchiveLimits, Language, Upload};
//!
//! let folder = tempfile::tempdir()?;
//! let bot = Upload { name: "bot.py".into(), bytes: b"print('f5')\n".to_vec() };
//! let sources = handin::unpack(&[bot], &folder.path().join("sources"), &ArchiveLimits::default())?;
//! assert_eq!(Language::of(&sources, &Language::standard())?.name, "Python");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod build;
mod language;
mod limits;
mod names;
mod refusal;
mod sources;
mod unpack;

pub use archive::read;
pub use build::{BuildError, BuildFailure, Built, build};
pub use language::{Language, Missing};
pub use limits::{ArchiveLimits, BuildLimits};
pub use refusal::Refusal;
pub use sources::{SourceFile, Sources, hash};
pub use unpack::{Unpacked, Upload, unpack};
