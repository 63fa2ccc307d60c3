CREATE TABLE ideas (
    -- Never reuses a number: agreements contain it.
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id     TEXT NOT NULL REFERENCES users (id),
    -- Encrypted, like the titles and contents below; see idea_keys.
    title        BYTEA NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('draft', 'published')),
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    document_id  TEXT UNIQUE,
    published_at TIMESTAMPTZ,
    revision     INTEGER NOT NULL CHECK (revision >= 1),
    created_at   TIMESTAMPTZ NOT NULL,
    updated_at   TIMESTAMPTZ NOT NULL,
    deleted_at   TIMESTAMPTZ,
    CHECK ((status = 'published') = (document_id IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK (status = 'draft' OR deleted_at IS NULL)
);

CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC);

-- Each idea's keys, wrapped with the master key: of its content, and of the evidence of
-- who saw it. The first is destroyed when a draft is deleted, which makes all copies of
-- the content unreadable. The second is kept with the evidence.
CREATE TABLE idea_keys (
    idea_id  BIGINT NOT NULL PRIMARY KEY REFERENCES ideas (id),
    content  BYTEA,
    evidence BYTEA NOT NULL
);

-- The content is erased when a draft is deleted; the digest is kept, because
-- evidence refers to it.
CREATE TABLE idea_revisions (
    idea_id      BIGINT NOT NULL REFERENCES ideas (id),
    number       INTEGER NOT NULL CHECK (number >= 1),
    title        BYTEA NOT NULL,
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    sha256       TEXT NOT NULL CHECK (length(sha256) = 64),
    created_at   TIMESTAMPTZ NOT NULL,
    -- Last, so that reading the other columns does not read it.
    content      BYTEA,
    PRIMARY KEY (idea_id, number)
);

-- Raises its argument as a violated constraint.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER ideas_published_update BEFORE UPDATE ON ideas
FOR EACH ROW WHEN (OLD.status = 'published')
EXECUTE FUNCTION refuse('a published idea is final');

CREATE TRIGGER ideas_published_delete BEFORE DELETE ON ideas
FOR EACH ROW WHEN (OLD.status = 'published')
EXECUTE FUNCTION refuse('a published idea is final');

CREATE TRIGGER ideas_truncate BEFORE TRUNCATE ON ideas
EXECUTE FUNCTION refuse('a published idea is final');

-- FOR SHARE excludes a concurrent publication.
CREATE FUNCTION refuse_revision_of_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    idea_status TEXT;
BEGIN
    SELECT status INTO idea_status FROM ideas
    WHERE id = CASE TG_OP WHEN 'INSERT' THEN NEW.idea_id ELSE OLD.idea_id END
    FOR SHARE;
    IF idea_status = 'published' THEN
        RAISE EXCEPTION 'a revision of a published idea is final'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER idea_revisions_insert BEFORE INSERT ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse_revision_of_published();

CREATE TRIGGER idea_revisions_published_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse_revision_of_published();

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW WHEN (
    NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at)
        IS DISTINCT FROM
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at)
)
EXECUTE FUNCTION refuse('of a revision only the content of a draft may be erased');

CREATE TRIGGER idea_revisions_delete BEFORE DELETE ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse('revisions are never deleted');

CREATE TRIGGER idea_revisions_truncate BEFORE TRUNCATE ON idea_revisions
EXECUTE FUNCTION refuse('revisions are never deleted');

-- FOR SHARE excludes a concurrent publication.
CREATE FUNCTION refuse_to_erase_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    idea_status TEXT;
BEGIN
    SELECT status INTO idea_status FROM ideas WHERE id = OLD.idea_id FOR SHARE;
    IF idea_status = 'published' THEN
        RAISE EXCEPTION 'the keys of a published idea are kept'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
FOR EACH ROW WHEN (NEW.content IS NULL) EXECUTE FUNCTION refuse_to_erase_published();

CREATE TRIGGER idea_keys_delete BEFORE DELETE ON idea_keys
FOR EACH ROW EXECUTE FUNCTION refuse('the keys of an idea are never deleted');

CREATE TRIGGER idea_keys_truncate BEFORE TRUNCATE ON idea_keys
EXECUTE FUNCTION refuse('the keys of an idea are never deleted');
