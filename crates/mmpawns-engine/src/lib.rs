//! MMPawns, exactly and well: a prover and a player.

mod arena;
mod board;
mod clock;
mod deepen;
mod eval;
pub mod fields;
mod huge;
mod memory;
mod player;
mod prove;
mod race;
mod solve;
mod table;
pub mod train;
mod weights;

pub use clock::budget;
pub use player::{Player, Sizes};
pub use prove::{Prover, Value};
pub use solve::{Solution, Verdict};
