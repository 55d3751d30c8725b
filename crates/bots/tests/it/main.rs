//! Every player on every game, and the names of both.

mod games;
mod levels;
mod names;
mod starts;
