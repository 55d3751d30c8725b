//! Reviews of games between weak players.

mod games_of_bots;
mod right;
mod tables;
