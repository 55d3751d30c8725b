-- What solvers have proven of positions, whatever game they occurred in. Symmetric positions have
-- one row. A proof is never taken back; it may become stronger.

CREATE TABLE proofs (
    game     TEXT NOT NULL,
    position TEXT NOT NULL,
    value    INTEGER NOT NULL CHECK (value IN (-1, 0, 1)),  -- for the player to move
    margin   INTEGER,
    distance INTEGER,
    PRIMARY KEY (game, position)
) WITHOUT ROWID;
