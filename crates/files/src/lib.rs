//! What everybody needs who keeps long work in files: files that are whole or not there, and
//! claims, so that of two processes only one works on the same file or folder.

mod claim;
mod whole;

pub use claim::Claim;
pub use whole::{NEVER, write_parts, write_whole};
