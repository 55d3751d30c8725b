//! The programs run as processes, on data files and in dialogue.

mod cases;
mod protocol;
mod reversi;
