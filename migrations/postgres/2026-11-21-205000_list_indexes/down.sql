DROP TRIGGER comments_owner ON comments;
DROP FUNCTION note_owner_of_comment;
DROP INDEX comments_by_owner;
ALTER TABLE comments DROP COLUMN owner_id;
DROP INDEX ideas_by_owner;
CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC);
