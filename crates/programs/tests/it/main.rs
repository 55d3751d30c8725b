//! The programs run as processes, on data files and in dialogue.

mod cases;
mod mmpawns;
mod protocol;
mod reversi;
