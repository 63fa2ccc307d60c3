-- With a copy of the database, plain digests allow confirming a guess of the content.
-- From here on they are encrypted: those of revisions with the idea's content key, which
-- is destroyed with a deleted draft; those of acceptances and views with the evidence
-- key, which is kept; those of files with the file's key. shares.recipient_email contains
-- the encrypted address, in hex. The wrapped keys of an idea are bound to its owner.
-- A migration has no keys, so that older rows cannot be converted.
DO $$
BEGIN
    IF EXISTS (SELECT FROM ideas) OR EXISTS (SELECT FROM files) THEN
        RAISE EXCEPTION 'this vault was made by a version before the first release';
    END IF;
END
$$;

DROP TRIGGER idea_revisions_update ON idea_revisions;
ALTER TABLE idea_revisions DROP COLUMN sha256, ADD COLUMN sha256 BYTEA NOT NULL;

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW WHEN (
    NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS DISTINCT FROM
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
)
EXECUTE FUNCTION refuse('of a revision only the content of a draft may be erased');

ALTER TABLE files DROP COLUMN sha256, ADD COLUMN sha256 BYTEA NOT NULL;

-- Address, browser and both digests, encrypted.
ALTER TABLE nda_acceptances DROP COLUMN nda_sha256, DROP COLUMN revision_sha256;
ALTER TABLE nda_acceptances RENAME COLUMN origin TO details;

ALTER TABLE view_grants DROP COLUMN revision_sha256, ADD COLUMN revision_sha256 BYTEA NOT NULL;
