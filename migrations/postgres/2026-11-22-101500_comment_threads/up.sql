-- Answers belong to the first comment of a thread. share_id is the share whose readers
-- see a comment; if null, the readers of all shares do. The text of a withdrawn comment
-- is erased; the row and its author are kept.
ALTER TABLE comments ADD COLUMN reply_to TEXT REFERENCES comments (id);
ALTER TABLE comments ADD COLUMN share_id TEXT REFERENCES shares (id);
ALTER TABLE comments ADD COLUMN edited_at TIMESTAMPTZ;
ALTER TABLE comments ADD COLUMN withdrawn_at TIMESTAMPTZ;

UPDATE comments SET share_id = (SELECT share_id FROM recipients WHERE id = recipient_id);

-- Deleting a draft deletes its comments and the answers that refer to them.
CREATE INDEX comments_by_thread ON comments (reply_to) WHERE reply_to IS NOT NULL;

CREATE FUNCTION check_comment_thread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM comments
        WHERE id = NEW.reply_to AND idea_id = NEW.idea_id AND reply_to IS NULL
    ) THEN
        RAISE EXCEPTION 'an answer belongs to the first comment of a thread on the same idea';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_thread BEFORE INSERT ON comments
FOR EACH ROW WHEN (NEW.reply_to IS NOT NULL) EXECUTE FUNCTION check_comment_thread();

CREATE FUNCTION refuse_comment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'who wrote a comment, when and about what is final; so is a withdrawn one';
END
$$;

CREATE TRIGGER comments_identity
BEFORE UPDATE OF id, idea_id, recipient_id, reply_to, share_id, created_at ON comments
FOR EACH ROW EXECUTE FUNCTION refuse_comment_change();

CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL) EXECUTE FUNCTION refuse_comment_change();
