-- Who played, where and when is looked for in columns too: a search for a part of a name that many
-- players share would have to visit most rows, whatever the index.

ALTER TABLE library_games ADD COLUMN date TEXT NOT NULL DEFAULT '';  -- where more than the year is known

-- For each game 14 bytes, the highest first: the numbers of both players and the event (4 each), and
-- the year (2). What is removed has any.
ALTER TABLE library_blocks ADD COLUMN facts BLOB NOT NULL DEFAULT x'';

WITH RECURSIVE slots (slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM slots WHERE slot < 4095)
UPDATE library_blocks SET facts = (
    SELECT unhex(group_concat(
        printf('%08x%08x%08x%04x', ifnull(g.first, 0), ifnull(g.second, 0), ifnull(g.event, 0), ifnull(g.year, 0)),
        '' ORDER BY slot))
    FROM slots LEFT JOIN library_games g ON g.number = library_blocks.first + slot
    WHERE slot < library_blocks.count
);

CREATE INDEX library_blocks_in_order ON library_blocks (game, first, number);
DROP INDEX library_by_year;
DROP INDEX library_by_first;
DROP INDEX library_by_second;
DROP INDEX library_by_event;
