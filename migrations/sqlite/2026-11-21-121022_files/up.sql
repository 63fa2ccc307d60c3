-- The content is in the file storage, under the id, before the row is added.
CREATE TABLE files (
    -- Orders rows of the same microsecond.
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    owner_id   TEXT NOT NULL REFERENCES users (id),
    kind       TEXT NOT NULL CHECK (kind IN ('pdf', 'image')),
    media_type TEXT NOT NULL CHECK (media_type IN ('application/pdf', 'image/png', 'image/jpeg')),
    -- Encrypted with the file's own key, like the content.
    name       BLOB NOT NULL,
    size       INTEGER NOT NULL CHECK (size > 0),
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
    created_at TEXT NOT NULL,
    CHECK ((kind = 'pdf') = (media_type = 'application/pdf'))
) STRICT;

CREATE INDEX files_by_owner ON files (owner_id, kind, created_at DESC, seq DESC);

-- Each file's key, wrapped with the master key. Without it the content is unreadable.
CREATE TABLE file_keys (
    file_id TEXT NOT NULL PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    wrapped BLOB NOT NULL
) STRICT;

-- The files that the current revision of an idea shows; its recipients may read them.
CREATE TABLE idea_files (
    idea_id INTEGER NOT NULL REFERENCES ideas (id),
    file_id TEXT NOT NULL REFERENCES files (id),
    PRIMARY KEY (idea_id, file_id)
) STRICT;

CREATE INDEX idea_files_by_file ON idea_files (file_id, idea_id);

CREATE TRIGGER files_update BEFORE UPDATE ON files
BEGIN
    SELECT RAISE(ABORT, 'a stored file never changes');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE.
CREATE TRIGGER files_replace BEFORE INSERT ON files
WHEN EXISTS (SELECT 1 FROM files WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'a stored file never changes');
END;

CREATE TRIGGER idea_files_insert BEFORE INSERT ON idea_files
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'what a published idea shows is final');
END;

CREATE TRIGGER idea_files_delete BEFORE DELETE ON idea_files
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'what a published idea shows is final');
END;

CREATE TRIGGER idea_files_update BEFORE UPDATE ON idea_files
BEGIN
    SELECT RAISE(ABORT, 'what an idea shows is written anew, never changed');
END;
