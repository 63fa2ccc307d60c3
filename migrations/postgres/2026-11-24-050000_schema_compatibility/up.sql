-- The oldest program that can work with this schema, by the newest migration that it knows. A
-- migration that the release before it cannot work with sets this to its own version.
CREATE TABLE schema_compatibility (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    oldest_version TEXT NOT NULL
);
INSERT INTO schema_compatibility (id, oldest_version) VALUES (1, '20261124050000');
