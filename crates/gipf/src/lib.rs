//! Rules of generalised GIPF: any board size, run length and number of stones.
