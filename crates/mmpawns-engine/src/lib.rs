//! MMPawns, exactly and well: a [`Prover`] of who wins, and a [`Player`] that keeps what it
//! has proved.
//!
//! ```
//! use mmpawns_engine::{Prover, Value};
//! use search::Limits;
//!
//! // Both run; A is to move and has as far to go as B.
//! let text = "A 1 --------/-B------/--------/--------/--------/--------/------A-/--------";
//! let mut prover = Prover::new(1 << 20);
//! let value = prover.prove(&text.parse()?, &Limits::default().with_nodes(10_000));
//! assert_eq!(value, Some(Value::Win));
//! # Ok::<(), rules::PositionError>(())
//! ```

mod arena;
mod batch;
mod board;
mod clock;
mod deepen;
mod eval;
pub mod fields;
mod net;
mod player;
mod proof_table;
mod prove;
mod race;
mod simulate;
mod solve;
pub mod training;
mod value_table;
mod weights;

pub use clock::budget;
pub use player::{Player, Sizes};
pub use prove::{Prover, Value};
pub use solve::Solution;
