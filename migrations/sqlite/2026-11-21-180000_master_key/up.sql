-- Which master key seals now, by its id: one row at most.
CREATE TABLE master_key (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  BLOB NOT NULL CHECK (length(id) = 8)
) STRICT;
