-- Bytes of the content before encryption, which adds 40.
ALTER TABLE idea_revisions ADD COLUMN size INTEGER NOT NULL DEFAULT 0 CHECK (size >= 0);

DROP TRIGGER idea_revisions_update;
UPDATE idea_revisions SET size = max(length(content) - 40, 0) WHERE content IS NOT NULL;
CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
    OR NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at, NEW.size)
        IS NOT
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at, OLD.size)
BEGIN
    SELECT RAISE(ABORT, 'of a revision only the content of a draft may be erased');
END;

-- Finds the ideas whose revisions the cleanup thins out.
CREATE INDEX idea_revisions_kept ON idea_revisions (idea_id, number, created_at)
WHERE content IS NOT NULL;

-- The storage use of an account, in bytes before encryption: the triggers below count
-- the contents of revisions and the files.
CREATE TABLE account_storage (
    user_id     TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    used_bytes  INTEGER NOT NULL DEFAULT 0,
    -- Set by the operator for this account; null means the server's default.
    quota_bytes INTEGER CHECK (quota_bytes >= 0)
) STRICT;

-- Locked while the use of all accounts is added up, so that concurrent checks wait.
CREATE TABLE vault_storage (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)
) STRICT;

INSERT INTO vault_storage VALUES (1);

INSERT INTO account_storage (user_id, used_bytes)
SELECT owner_id, sum(size) FROM (
    SELECT i.owner_id, r.size FROM idea_revisions r JOIN ideas i ON i.id = r.idea_id
    WHERE r.content IS NOT NULL
    UNION ALL
    SELECT owner_id, size FROM files
) GROUP BY owner_id;

CREATE TRIGGER storage_revision_added AFTER INSERT ON idea_revisions
WHEN NEW.content IS NOT NULL
BEGIN
    INSERT INTO account_storage (user_id, used_bytes)
    SELECT owner_id, NEW.size FROM ideas WHERE id = NEW.idea_id
    ON CONFLICT (user_id) DO UPDATE SET used_bytes = used_bytes + excluded.used_bytes;
END;

CREATE TRIGGER storage_revision_erased AFTER UPDATE OF content ON idea_revisions
WHEN OLD.content IS NOT NULL AND NEW.content IS NULL
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes - OLD.size
    WHERE user_id = (SELECT owner_id FROM ideas WHERE id = OLD.idea_id);
END;

CREATE TRIGGER storage_file_added AFTER INSERT ON files
BEGIN
    INSERT INTO account_storage (user_id, used_bytes) VALUES (NEW.owner_id, NEW.size)
    ON CONFLICT (user_id) DO UPDATE SET used_bytes = used_bytes + excluded.used_bytes;
END;

CREATE TRIGGER storage_file_removed AFTER DELETE ON files
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes - OLD.size
    WHERE user_id = OLD.owner_id;
END;

-- The files of each revision whose content is kept: such a file is not deleted.
CREATE TABLE revision_files (
    idea_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (idea_id, number, file_id),
    FOREIGN KEY (idea_id, number) REFERENCES idea_revisions (idea_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX revision_files_by_file ON revision_files (file_id, idea_id);

INSERT INTO revision_files (idea_id, number, file_id)
SELECT s.idea_id, i.revision, s.file_id FROM idea_files s JOIN ideas i ON i.id = s.idea_id;
