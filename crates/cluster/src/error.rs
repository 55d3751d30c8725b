//! What goes wrong between machines.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the cluster could not be used.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// The server is not there, or refuses us.
    #[error("cannot connect to {url}: {why}")]
    Connect {
        /// Which one.
        url: String,
        /// Why not.
        why: String,
    },
    /// The file with the credentials cannot be used.
    #[error("{}: {why}", path.display())]
    Credentials {
        /// Which one.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The server does not do what it is asked.
    #[error("the NATS server fails: {what}: {why}")]
    Server {
        /// What was asked.
        what: &'static str,
        /// What it said.
        why: String,
    },
    /// The server does not let a key do what was asked.
    #[error("{key}: the server does not allow that with this key: {why}")]
    Refused {
        /// Where the key is.
        key: String,
        /// What it said.
        why: String,
    },
    /// A message that makes no sense.
    #[error("{what} cannot be read: {why}")]
    Message {
        /// Which one.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// Content that is not what its name says.
    #[error("{wanted} has the content of {found}")]
    Hash {
        /// The SHA-256 that was asked for.
        wanted: String,
        /// That of what came.
        found: String,
    },
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Anything else, in a sentence.
    #[error("{0}")]
    Other(String),
}

/// What this crate returns.
pub(crate) type Result<T> = std::result::Result<T, ClusterError>;

/// Says what was asked of the server when it failed.
pub(crate) fn server<E: Display>(what: &'static str) -> impl FnOnce(E) -> ClusterError {
    move |error| ClusterError::Server {
        what,
        why: error.to_string(),
    }
}

/// Says which file it was.
pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> ClusterError {
    let path = path.into();
    move |source| ClusterError::File { path, source }
}
