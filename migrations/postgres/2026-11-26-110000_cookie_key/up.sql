-- The key from which the keys of cookies are derived, encrypted with the master key: at most one
-- row. Servers that were started before and after a rotation of the master key have the same.
CREATE TABLE cookie_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    sealed BYTEA NOT NULL
);
