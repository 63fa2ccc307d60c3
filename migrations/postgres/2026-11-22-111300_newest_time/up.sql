-- The newest time that a server has told: one row at most.
CREATE TABLE newest_time (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  TIMESTAMPTZ NOT NULL
);
