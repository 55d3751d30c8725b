//! What everybody needs who works with files: files that are whole or not there, files that are read
//! whole unless they have no end, and claims, so that of two processes only one works on the same
//! file or folder.

mod claim;
mod read;
mod whole;

pub use claim::Claim;
pub use read::{MOST, read, read_from, read_text};
pub use whole::{NEVER, sync_name, write_parts, write_private, write_whole};
