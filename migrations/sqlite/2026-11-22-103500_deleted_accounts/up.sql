-- When the operator deleted the account. Its row is kept without a name or an address,
-- since evidence of others refers to its ideas.
ALTER TABLE users ADD COLUMN deleted_at TEXT;

DROP TRIGGER idea_keys_update;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
WHEN NEW.content IS NULL
    AND EXISTS (
        SELECT 1 FROM ideas JOIN users ON users.id = ideas.owner_id
        WHERE ideas.id = OLD.idea_id AND ideas.status = 'published'
            AND users.deleted_at IS NULL
    )
BEGIN
    SELECT RAISE(ABORT, 'the keys of a published idea are kept');
END;
