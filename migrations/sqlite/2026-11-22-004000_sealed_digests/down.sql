-- Encrypted digests cannot be restored: they become zeros.
ALTER TABLE view_grants DROP COLUMN revision_sha256;
ALTER TABLE view_grants ADD COLUMN revision_sha256 TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
    CHECK (length(revision_sha256) = 64);

ALTER TABLE nda_acceptances RENAME COLUMN details TO origin;
ALTER TABLE nda_acceptances ADD COLUMN revision_sha256 TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
    CHECK (length(revision_sha256) = 64);
ALTER TABLE nda_acceptances ADD COLUMN nda_sha256 TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
    CHECK (length(nda_sha256) = 64);

ALTER TABLE files DROP COLUMN sha256;
ALTER TABLE files ADD COLUMN sha256 TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
    CHECK (length(sha256) = 64);

CREATE TABLE kept AS SELECT * FROM idea_revisions;
DROP TABLE idea_revisions;
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

INSERT INTO idea_revisions
SELECT
    idea_id, number, title, content_kind,
    '0000000000000000000000000000000000000000000000000000000000000000',
    created_at, content
FROM kept;
DROP TABLE kept;

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
