-- Answers belong to the first comment of a thread. share_id is the share whose readers
-- see a comment; if null, the readers of all shares do. The text of a withdrawn comment
-- is erased; the row and its author are kept.
ALTER TABLE comments ADD COLUMN reply_to TEXT REFERENCES comments (id);
ALTER TABLE comments ADD COLUMN share_id TEXT REFERENCES shares (id);
ALTER TABLE comments ADD COLUMN edited_at TEXT;
ALTER TABLE comments ADD COLUMN withdrawn_at TEXT;

UPDATE comments SET share_id = (SELECT share_id FROM recipients WHERE id = recipient_id);

-- Deleting a draft deletes its comments and the answers that refer to them.
CREATE INDEX comments_by_thread ON comments (reply_to) WHERE reply_to IS NOT NULL;

CREATE TRIGGER comments_thread BEFORE INSERT ON comments
WHEN NEW.reply_to IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM comments
    WHERE id = NEW.reply_to AND idea_id = NEW.idea_id AND reply_to IS NULL
)
BEGIN
    SELECT RAISE(ABORT, 'an answer belongs to the first comment of a thread on the same idea');
END;

CREATE TRIGGER comments_identity
BEFORE UPDATE OF id, idea_id, recipient_id, reply_to, share_id, created_at ON comments
BEGIN
    SELECT RAISE(ABORT, 'who wrote a comment, when and about what is final');
END;

CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
WHEN OLD.withdrawn_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a withdrawn comment is final');
END;
