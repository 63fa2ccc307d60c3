-- Deleted ideas are never listed.
DROP INDEX ideas_by_owner;
CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC)
WHERE deleted_at IS NULL;

-- The idea's owner, who lists the comments on all own ideas. Set by the trigger below
-- and never written directly; nullable, since SQLite cannot add a NOT NULL column.
ALTER TABLE comments ADD COLUMN owner_id TEXT REFERENCES users (id);
UPDATE comments SET owner_id = (SELECT owner_id FROM ideas WHERE id = idea_id);

CREATE INDEX comments_by_owner ON comments (owner_id, created_at, seq);

CREATE TRIGGER comments_owner AFTER INSERT ON comments
BEGIN
    UPDATE comments SET owner_id = (SELECT owner_id FROM ideas WHERE id = NEW.idea_id)
    WHERE seq = NEW.seq;
END;
