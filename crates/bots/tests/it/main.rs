//! Every player on every game, and the names of both.

mod games;
mod names;
mod starts;
