CREATE TABLE ideas (
    -- Never reuses a number: agreements contain it.
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     TEXT NOT NULL REFERENCES users (id),
    -- Encrypted, like the titles and contents below; see idea_keys.
    title        BLOB NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('draft', 'published')),
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    document_id  TEXT UNIQUE,
    published_at TEXT,
    revision     INTEGER NOT NULL CHECK (revision >= 1),
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    CHECK ((status = 'published') = (document_id IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK (status = 'draft' OR deleted_at IS NULL)
) STRICT;

CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC);

-- Each idea's keys, wrapped with the master key: of its content, and of the evidence of
-- who saw it. The first is destroyed when a draft is deleted, which makes all copies of
-- the content unreadable. The second is kept with the evidence.
CREATE TABLE idea_keys (
    idea_id  INTEGER NOT NULL PRIMARY KEY REFERENCES ideas (id),
    content  BLOB,
    evidence BLOB NOT NULL
) STRICT;

-- The content is erased when a draft is deleted; the digest is kept, because
-- evidence refers to it.
CREATE TABLE idea_revisions (
    idea_id      INTEGER NOT NULL REFERENCES ideas (id),
    number       INTEGER NOT NULL CHECK (number >= 1),
    title        BLOB NOT NULL,
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    sha256       TEXT NOT NULL CHECK (length(sha256) = 64),
    created_at   TEXT NOT NULL,
    -- Last, so that reading the other columns does not read it.
    content      BLOB,
    PRIMARY KEY (idea_id, number)
) STRICT;

CREATE TRIGGER ideas_published_update BEFORE UPDATE ON ideas
WHEN OLD.status = 'published'
BEGIN
    SELECT RAISE(ABORT, 'a published idea is final');
END;

CREATE TRIGGER ideas_published_delete BEFORE DELETE ON ideas
WHEN OLD.status = 'published'
BEGIN
    SELECT RAISE(ABORT, 'a published idea is final');
END;

-- INSERT OR REPLACE deletes without firing the trigger above.
CREATE TRIGGER ideas_replace BEFORE INSERT ON ideas
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'an idea is never replaced');
END;

CREATE TRIGGER idea_revisions_insert BEFORE INSERT ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND status = 'published')
    OR EXISTS (
        SELECT 1 FROM idea_revisions WHERE idea_id = NEW.idea_id AND number = NEW.number
    )
BEGIN
    SELECT RAISE(ABORT, 'a revision of a published idea, or one that exists, is final');
END;

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
    OR NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS NOT
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
BEGIN
    SELECT RAISE(ABORT, 'of a revision only the content of a draft may be erased');
END;

CREATE TRIGGER idea_revisions_delete BEFORE DELETE ON idea_revisions
BEGIN
    SELECT RAISE(ABORT, 'revisions are never deleted');
END;

CREATE TRIGGER idea_keys_insert BEFORE INSERT ON idea_keys
WHEN EXISTS (SELECT 1 FROM idea_keys WHERE idea_id = NEW.idea_id)
BEGIN
    SELECT RAISE(ABORT, 'the keys of an idea are never replaced');
END;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
WHEN NEW.content IS NULL
    AND EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'the keys of a published idea are kept');
END;

CREATE TRIGGER idea_keys_delete BEFORE DELETE ON idea_keys
BEGIN
    SELECT RAISE(ABORT, 'the keys of an idea are never deleted');
END;
