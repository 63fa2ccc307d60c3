-- Which files folder holds the files of this database, by the id that the folder
-- has too: one row at most.
CREATE TABLE storage_identity (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL CHECK (length(id) = 36)
);
