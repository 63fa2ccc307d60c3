-- The latest time that a server has recorded: at most one row.
CREATE TABLE newest_time (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  TIMESTAMPTZ NOT NULL
);
