//! Makes every number that is embedded in an engine, from nothing but the rules: one module
//! per game.
//!
//! Engines export their features and searches and read the numbers; only this crate fits them.
//! `ludex train --help` lists the commands.

pub mod gipf;
pub mod gipf_standard;
pub mod logistic;
pub mod mmpawns;
pub mod othello;
