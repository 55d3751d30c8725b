//! MMPawns, exactly and well: a prover and a player.

mod arena;
mod board;
mod clock;
mod deepen;
mod eval;
pub mod fields;
mod memory;
mod player;
mod prove;
mod race;
mod table;

pub use clock::budget;
pub use player::{Player, Sizes};
pub use prove::{Prover, Value};
