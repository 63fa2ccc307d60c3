-- A comment without a recipient is by the owner.
CREATE TABLE comments (
    -- Orders rows of the same microsecond.
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    idea_id      INTEGER NOT NULL REFERENCES ideas (id),
    recipient_id TEXT REFERENCES recipients (id),
    -- Author and text, encrypted with the idea's content key.
    sealed       BLOB NOT NULL,
    created_at   TEXT NOT NULL
) STRICT;

CREATE INDEX comments_by_idea ON comments (idea_id, created_at, seq);
CREATE INDEX comments_by_recipient ON comments (recipient_id);

-- Deleting a draft erases its comments; none may be added later.
CREATE TRIGGER comments_on_deleted BEFORE INSERT ON comments
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND deleted_at IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'a deleted idea takes no comments');
END;
