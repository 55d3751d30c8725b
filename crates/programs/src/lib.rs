//! The four programs of the course documents: reversi, othello, gipf, mmpawns.
