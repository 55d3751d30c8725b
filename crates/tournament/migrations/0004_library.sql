-- Games of others, and games that were played here: found by who played, where and when, and by
-- the positions that came up in them.

CREATE TABLE library_names (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE
);

CREATE TABLE library_games (
    number INTEGER PRIMARY KEY,
    game   TEXT NOT NULL,
    digest INTEGER NOT NULL,   -- of players, event, year and moves: the same game comes once
    source TEXT NOT NULL,      -- where it came from
    first  INTEGER NOT NULL REFERENCES library_names (number),
    second INTEGER NOT NULL REFERENCES library_names (number),
    event  INTEGER NOT NULL REFERENCES library_names (number),
    year   INTEGER NOT NULL,   -- 0 if it is not known
    result INTEGER,            -- 1, 0 or -1 as the first side won, drew or lost
    score  TEXT NOT NULL,
    start  TEXT NOT NULL,      -- empty for the usual start
    moves  TEXT NOT NULL,
    UNIQUE (game, digest)
);
CREATE INDEX library_by_year ON library_games (game, year, result);
CREATE INDEX library_by_first ON library_games (first);
CREATE INDEX library_by_second ON library_games (second);
CREATE INDEX library_by_event ON library_games (event, game, year, result);
CREATE INDEX library_by_source ON library_games (source);

-- Positions are found by columns of keys: for each block of games and each number of plies the
-- keys of the positions, eight bytes each, 0 where a game was over. A block holds the games
-- `first` to `first + count - 1`.
CREATE TABLE library_blocks (
    number  INTEGER PRIMARY KEY,
    game    TEXT NOT NULL,
    first   INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    results BLOB NOT NULL      -- one byte a game: result + 1, 3 if unknown, 255 if it was removed
);

CREATE TABLE library_keys (
    block INTEGER NOT NULL REFERENCES library_blocks (number),
    ply   INTEGER NOT NULL,
    delay INTEGER NOT NULL,    -- the most plies that a game of the block needed more than at least
    keys  BLOB NOT NULL,
    PRIMARY KEY (block, ply)
);
