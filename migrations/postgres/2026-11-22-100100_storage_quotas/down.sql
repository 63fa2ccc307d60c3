DROP TABLE revision_files;
DROP TRIGGER storage_file_counted ON files;
DROP FUNCTION count_stored_file;
DROP TRIGGER storage_revision_erased ON idea_revisions;
DROP TRIGGER storage_revision_added ON idea_revisions;
DROP FUNCTION count_stored_revision;
DROP TABLE vault_storage;
DROP TABLE account_storage;
DROP INDEX idea_revisions_kept;
DROP TRIGGER idea_revisions_update ON idea_revisions;
ALTER TABLE idea_revisions DROP COLUMN size;

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW WHEN (
    NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS DISTINCT FROM
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
)
EXECUTE FUNCTION refuse('of a revision only the content of a draft may be erased');
