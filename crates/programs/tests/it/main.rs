//! The programs run as processes, on data files and in dialogue.

mod cases;
mod gipf;
mod mmpawns;
mod othello;
mod pipes;
mod protocol;
mod reversi;
