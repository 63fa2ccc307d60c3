-- Whether readers of the link and readers of the idea's other links that allow it, too,
-- see each other's names and comments.
ALTER TABLE shares ADD COLUMN shows_other_readers BOOLEAN NOT NULL DEFAULT FALSE;
