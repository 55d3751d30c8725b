-- Everything that has happened, never changed afterwards. Times are microseconds,
-- moments are milliseconds since 1970, sides are 0 (moves first) and 1.

CREATE TABLE tournaments (
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    game    TEXT NOT NULL,
    format  TEXT NOT NULL,
    planned INTEGER NOT NULL,  -- games; the least number for a knockout
    config  TEXT NOT NULL,     -- JSON
    created INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE players (
    tournament TEXT NOT NULL REFERENCES tournaments (id),
    number     INTEGER NOT NULL,
    name       TEXT NOT NULL,
    spec       TEXT NOT NULL,  -- as people type it
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;

CREATE TABLE games (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    tournament TEXT NOT NULL REFERENCES tournaments (id),
    round      INTEGER NOT NULL,
    tbl        INTEGER NOT NULL,
    game       INTEGER NOT NULL,
    first      INTEGER NOT NULL,
    second     INTEGER NOT NULL,
    opening    INTEGER NOT NULL,
    score      TEXT NOT NULL CHECK (score IN ('first', 'second', 'draw')),
    ending     TEXT NOT NULL,
    ending_text TEXT NOT NULL,
    turns      INTEGER NOT NULL,
    wall_0     INTEGER NOT NULL,
    wall_1     INTEGER NOT NULL,
    cpu_0      INTEGER NOT NULL,
    cpu_1      INTEGER NOT NULL,
    slowest_0  INTEGER NOT NULL,  -- wall time of the slowest move
    slowest_1  INTEGER NOT NULL,
    faults_0   INTEGER NOT NULL,
    faults_1   INTEGER NOT NULL,
    failed_0   INTEGER NOT NULL,  -- did nothing right, or lost by its own fault
    failed_1   INTEGER NOT NULL,
    finished   INTEGER NOT NULL,
    head       TEXT,              -- JSON: the record without its moves; NULL if forfeited
    UNIQUE (tournament, round, tbl, game)
);

CREATE TABLE moves (
    game     INTEGER NOT NULL REFERENCES games (number),
    turn     INTEGER NOT NULL,  -- place in the record, from 1
    ply      INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    side     INTEGER NOT NULL,
    position TEXT NOT NULL,
    move     TEXT,
    wall     INTEGER NOT NULL,
    cpu      INTEGER NOT NULL,
    memory   INTEGER NOT NULL,
    value    INTEGER,
    input    TEXT,  -- JSON, NULL if there was none
    answer   TEXT,  -- JSON, NULL if empty
    stderr   TEXT,  -- JSON, NULL if empty
    verdict  TEXT,  -- JSON, NULL for a legal move
    fault    INTEGER NOT NULL,
    PRIMARY KEY (game, turn)
) WITHOUT ROWID;

-- What is worth telling: a start, a stop, a player that was benched.
CREATE TABLE notes (
    number     INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL REFERENCES tournaments (id),
    kind       TEXT NOT NULL,
    player     INTEGER,
    text       TEXT NOT NULL,
    at         INTEGER NOT NULL
);
CREATE INDEX notes_of_tournament ON notes (tournament);

CREATE TRIGGER tournaments_stay BEFORE UPDATE ON tournaments BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER tournaments_last BEFORE DELETE ON tournaments BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER players_stay BEFORE UPDATE ON players BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER players_last BEFORE DELETE ON players BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER games_stay BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER games_last BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER moves_stay BEFORE UPDATE ON moves BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER moves_last BEFORE DELETE ON moves BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER notes_stay BEFORE UPDATE ON notes BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
CREATE TRIGGER notes_last BEFORE DELETE ON notes BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END;
