-- What nobody is told: with it the cases of every version are drawn. Made once.

CREATE TABLE secret (
    value TEXT NOT NULL
) STRICT;

INSERT INTO secret (value) VALUES (lower(hex(randomblob(32))));

CREATE TRIGGER secret_kept BEFORE UPDATE ON secret BEGIN SELECT RAISE(ABORT, 'the secret of a course is kept as it is'); END;
CREATE TRIGGER secret_stays BEFORE DELETE ON secret BEGIN SELECT RAISE(ABORT, 'the secret of a course is kept'); END;
CREATE TRIGGER secret_single BEFORE INSERT ON secret BEGIN SELECT RAISE(ABORT, 'a course has one secret'); END;
