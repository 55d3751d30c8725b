//! Hand-ins as people make them, and as nobody should.

mod archives;
mod bytes;
mod hostile;
mod languages;
