-- Deleted ideas are never listed.
DROP INDEX ideas_by_owner;
CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC)
WHERE deleted_at IS NULL;

-- The idea's owner, who lists the comments on all own ideas. Set by the trigger below
-- and never written directly.
ALTER TABLE comments ADD COLUMN owner_id TEXT REFERENCES users (id);
UPDATE comments SET owner_id = ideas.owner_id FROM ideas WHERE ideas.id = comments.idea_id;
ALTER TABLE comments ALTER COLUMN owner_id SET NOT NULL;

CREATE INDEX comments_by_owner ON comments (owner_id, created_at, seq);

CREATE FUNCTION note_owner_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT owner_id INTO NEW.owner_id FROM ideas WHERE id = NEW.idea_id;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_owner BEFORE INSERT ON comments
FOR EACH ROW EXECUTE FUNCTION note_owner_of_comment();
