//! Pages made and forms sent.

mod forms;
mod parts;
mod play;
mod tournaments;
