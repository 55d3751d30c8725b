-- What the site keeps beside the games of tournaments: games in progress and analyses.
-- The only table whose rows change.

CREATE TABLE documents (
    kind    TEXT NOT NULL,
    id      TEXT NOT NULL,
    body    TEXT NOT NULL,  -- JSON
    changed INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX documents_by_change ON documents (kind, changed);
