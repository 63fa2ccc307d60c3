-- The id of the current master key: at most one row.
CREATE TABLE master_key (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  BYTEA NOT NULL CHECK (length(id) = 8)
);
