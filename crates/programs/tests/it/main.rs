//! The programs run as processes, on data files and in dialogue.

mod cases;
mod gipf;
mod protocol;
mod reversi;
