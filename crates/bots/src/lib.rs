//! Every built-in player by name, for every game.
