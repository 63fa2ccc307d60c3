-- With a copy of the database, plain digests allow confirming a guess of the content.
-- From here on they are encrypted: those of revisions with the idea's content key, which
-- is destroyed with a deleted draft; those of acceptances and views with the evidence
-- key, which is kept; those of files with the file's key. shares.recipient_email contains
-- the encrypted address, in hex. The wrapped keys of an idea are bound to its owner.
-- A migration has no keys, so that older rows cannot be converted.
CREATE TABLE made_before (
    rows INTEGER
    CONSTRAINT "this vault was made by a version before the first release" CHECK (rows = 0)
) STRICT;
INSERT INTO made_before SELECT (SELECT count(*) FROM ideas) + (SELECT count(*) FROM files);
DROP TABLE made_before;

DROP TABLE idea_revisions;
CREATE TABLE idea_revisions (
    idea_id      INTEGER NOT NULL REFERENCES ideas (id),
    number       INTEGER NOT NULL CHECK (number >= 1),
    title        BLOB NOT NULL,
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    sha256       BLOB NOT NULL,
    created_at   TEXT NOT NULL,
    -- Last, so that reading the other columns does not read it.
    content      BLOB,
    PRIMARY KEY (idea_id, number)
) STRICT;

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

ALTER TABLE files DROP COLUMN sha256;
ALTER TABLE files ADD COLUMN sha256 BLOB NOT NULL;

-- Address, browser and both digests, encrypted.
ALTER TABLE nda_acceptances DROP COLUMN nda_sha256;
ALTER TABLE nda_acceptances DROP COLUMN revision_sha256;
ALTER TABLE nda_acceptances RENAME COLUMN origin TO details;

ALTER TABLE view_grants DROP COLUMN revision_sha256;
ALTER TABLE view_grants ADD COLUMN revision_sha256 BLOB NOT NULL;
