DROP TRIGGER idea_keys_update;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
WHEN NEW.content IS NULL
    AND EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'the keys of a published idea are kept');
END;

ALTER TABLE users DROP COLUMN deleted_at;
