-- Encrypted digests cannot be restored: they become zeros.
ALTER TABLE view_grants
    DROP COLUMN revision_sha256,
    ADD COLUMN revision_sha256 TEXT NOT NULL
        DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
        CHECK (length(revision_sha256) = 64);

ALTER TABLE nda_acceptances RENAME COLUMN details TO origin;
ALTER TABLE nda_acceptances
    ADD COLUMN revision_sha256 TEXT NOT NULL
        DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
        CHECK (length(revision_sha256) = 64),
    ADD COLUMN nda_sha256 TEXT NOT NULL
        DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
        CHECK (length(nda_sha256) = 64);

ALTER TABLE files
    DROP COLUMN sha256,
    ADD COLUMN sha256 TEXT NOT NULL
        DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
        CHECK (length(sha256) = 64);

DROP TRIGGER idea_revisions_update ON idea_revisions;
ALTER TABLE idea_revisions
    DROP COLUMN sha256,
    ADD COLUMN sha256 TEXT NOT NULL
        DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
        CHECK (length(sha256) = 64);

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW WHEN (
    NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS DISTINCT FROM
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
)
EXECUTE FUNCTION refuse('of a revision only the content of a draft may be erased');
