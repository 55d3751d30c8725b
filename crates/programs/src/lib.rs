//! The programs of the course documents, as libraries: each binary in `src/bin` is a
//! few lines around one module here, so that tests and graders can call the same code.

pub mod gipf;
pub mod mmpawns;
pub mod othello;
pub mod protocol;
pub mod reversi;
