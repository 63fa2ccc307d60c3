-- The id of the files folder that belongs to this database, which is also in the folder:
-- at most one row.
CREATE TABLE storage_identity (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL CHECK (length(id) = 36)
) STRICT;
