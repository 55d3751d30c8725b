//! Rules of MMPawns: pawns that only go forward, on a field with holes.
