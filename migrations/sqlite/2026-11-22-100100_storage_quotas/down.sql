DROP TABLE revision_files;
DROP TRIGGER storage_file_removed;
DROP TRIGGER storage_file_added;
DROP TRIGGER storage_revision_erased;
DROP TRIGGER storage_revision_added;
DROP TABLE vault_storage;
DROP TABLE account_storage;
DROP INDEX idea_revisions_kept;
DROP TRIGGER idea_revisions_update;
ALTER TABLE idea_revisions DROP COLUMN size;

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
    OR NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS NOT
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
BEGIN
    SELECT RAISE(ABORT, 'of a revision only the content of a draft may be erased');
END;
