//! A strong player of GIPF as it is published: the basic, the standard and the tournament game.
//!
//! [`Player`] is principal variation search on a static evaluation that was trained by self-play:
//! patterns of the 21 lines, the reserves and the GIPF-pieces ([`Weights`]). Near the end of a game
//! proof-number search ([`Prover`]) decides positions.
//!
//! ```
//! use gipf_standard::{Position, Rules};
//! use gipf_standard_engine::Player;
//! use search::Limits;
//!
//! let position = Position::start(Rules::Standard);
//! let report = Player::default().search(&position, &Limits::default().with_nodes(2_000));
//! assert!(report.best.is_some() && report.depth >= 2);
//! ```

mod eval;
mod player;
mod prove;

pub use eval::{
    CountedWeight, FEATURES, Features, LINE_WEIGHTS, LineClass, PARAMETERS, View, Weights,
    counted_weights,
};
pub use player::Player;
pub use prove::{Proof, Prover};
