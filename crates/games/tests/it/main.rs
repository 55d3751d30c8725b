//! What every registered game must do.

mod drawing;
mod endings;
mod floors;
mod lessons;
mod proofs;
mod symmetry;
