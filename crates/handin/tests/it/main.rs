//! Hand-ins as people make them, and as nobody should.

mod archives;
mod bytes;
#[path = "../../../referee/tests/it/collection.rs"]
mod collection;
mod hostile;
mod languages;
