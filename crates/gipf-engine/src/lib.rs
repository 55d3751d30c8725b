//! GIPF solved and played.
//!
//! [`solve`] decides single positions, soundly although play can go round in circles;
//! [`tables`] solves whole variants on small boards: every position that can arise gets its
//! value and its distance to the end; [`player`] plays every variant well.
//!
//! ```
//! use gipf_engine::solve::{Budget, Verdict, solve};
//! use rules::Side;
//!
//! let position = "2 3 5 5".parse()?;
//! assert_eq!(solve(&position, &Budget::default()), Ok(Verdict::Win(Side::First)));
//! # Ok::<(), rules::PositionError>(())
//! ```

mod canon;
pub mod player;
pub mod solve;
pub mod tables;
