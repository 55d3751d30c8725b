//! What every registered game must do.

mod drawing;
mod floors;
mod proofs;
