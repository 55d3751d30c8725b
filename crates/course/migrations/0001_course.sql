-- People. What says who somebody is stands in tables of its own, which can be emptied; everything
-- else knows people and teams by number.

CREATE TABLE team (
    id INTEGER PRIMARY KEY,
    pseudonym TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('staff', 'student')),
    team INTEGER NOT NULL REFERENCES team (id),
    -- How much longer than others, in milliseconds.
    extension INTEGER NOT NULL DEFAULT 0,
    made INTEGER NOT NULL
) STRICT;

CREATE INDEX person_of_team ON person (team);

CREATE TABLE personal (
    person INTEGER PRIMARY KEY REFERENCES person (id),
    login TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    team_name TEXT NOT NULL,
    password TEXT
) STRICT;

CREATE TABLE invite (
    digest TEXT PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES person (id),
    expires INTEGER NOT NULL
) STRICT;

CREATE TABLE login (
    digest TEXT PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES person (id),
    expires INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES person (id),
    label TEXT NOT NULL,
    made INTEGER NOT NULL
) STRICT;

-- Hand-ins. Rows are only ever added; how far a version has come is what steps it has.

CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team (id),
    person INTEGER NOT NULL REFERENCES person (id),
    assignment TEXT NOT NULL,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    language TEXT NOT NULL,
    received INTEGER NOT NULL,
    UNIQUE (team, assignment, number)
) STRICT;

CREATE INDEX version_of_assignment ON version (assignment, team, number);

CREATE TABLE step (
    version INTEGER NOT NULL REFERENCES version (id),
    name TEXT NOT NULL CHECK (name IN ('built', 'graded', 'played')),
    at INTEGER NOT NULL,
    seconds REAL NOT NULL,
    ok INTEGER NOT NULL,
    summary TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (version, name)
) STRICT;

-- Versions that passed every step, in the order in which they did.
CREATE TABLE passed (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL UNIQUE REFERENCES version (id),
    at INTEGER NOT NULL
) STRICT;

-- Games. A player is 'v12', the version with this number, or 'r:greedy', a reference.

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    assignment TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('trial', 'ladder', 'challenge')),
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Games from one start position with colours exchanged.
    pair INTEGER NOT NULL,
    half_points INTEGER NOT NULL CHECK (half_points IN (0, 1, 2)),
    ending TEXT NOT NULL,
    start TEXT NOT NULL,
    moves TEXT NOT NULL,
    seed INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- How many faults each player made.
    first_faults INTEGER NOT NULL,
    second_faults INTEGER NOT NULL
) STRICT;

CREATE INDEX game_of_ladder ON game (assignment, purpose, first, second, half_points, pair);
CREATE INDEX game_of_first ON game (first, at);
CREATE INDEX game_of_second ON game (second, at);

-- The whole record of a game in which somebody made a fault.
CREATE TABLE record (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    json TEXT NOT NULL
) STRICT;

-- Games that were not scored, since the machine and not a player was at fault.
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    assignment TEXT NOT NULL,
    purpose TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE challenge (
    id INTEGER PRIMARY KEY,
    assignment TEXT NOT NULL,
    team INTEGER NOT NULL REFERENCES team (id),
    mine TEXT NOT NULL,
    other TEXT NOT NULL,
    at INTEGER NOT NULL,
    game INTEGER REFERENCES game (id),
    problem TEXT
) STRICT;

-- Finals.

CREATE TABLE finale (
    id INTEGER PRIMARY KEY,
    assignment TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- The tournament in the store of games; nothing if there is nobody to play.
    tournament TEXT,
    UNIQUE (assignment, number)
) STRICT;

CREATE TABLE frozen (
    finale INTEGER NOT NULL REFERENCES finale (id),
    team INTEGER NOT NULL REFERENCES team (id),
    version INTEGER NOT NULL REFERENCES version (id),
    -- From 0, the strongest first.
    seed INTEGER NOT NULL,
    PRIMARY KEY (finale, team)
) STRICT;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    person INTEGER REFERENCES person (id),
    what TEXT NOT NULL
) STRICT;

-- Hand-ins, verdicts, games and the log are only added to.

CREATE TRIGGER version_kept BEFORE UPDATE ON version BEGIN SELECT RAISE(ABORT, 'hand-ins are kept as they are'); END;
CREATE TRIGGER version_stays BEFORE DELETE ON version BEGIN SELECT RAISE(ABORT, 'hand-ins are kept'); END;
CREATE TRIGGER step_kept BEFORE UPDATE ON step BEGIN SELECT RAISE(ABORT, 'verdicts are kept as they are'); END;
CREATE TRIGGER step_stays BEFORE DELETE ON step BEGIN SELECT RAISE(ABORT, 'verdicts are kept'); END;
CREATE TRIGGER passed_kept BEFORE UPDATE ON passed BEGIN SELECT RAISE(ABORT, 'verdicts are kept as they are'); END;
CREATE TRIGGER passed_stays BEFORE DELETE ON passed BEGIN SELECT RAISE(ABORT, 'verdicts are kept'); END;
CREATE TRIGGER game_kept BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'games are kept as they are'); END;
CREATE TRIGGER game_stays BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'games are kept'); END;
CREATE TRIGGER record_kept BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'games are kept as they are'); END;
CREATE TRIGGER record_stays BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'games are kept'); END;
CREATE TRIGGER frozen_kept BEFORE UPDATE ON frozen BEGIN SELECT RAISE(ABORT, 'a frozen list is kept as it is'); END;
CREATE TRIGGER frozen_stays BEFORE DELETE ON frozen BEGIN SELECT RAISE(ABORT, 'a frozen list is kept'); END;
CREATE TRIGGER audit_kept BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the log is kept as it is'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the log is kept'); END;
