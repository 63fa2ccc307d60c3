-- The content is in the file storage, under the id, before the row is added.
CREATE TABLE files (
    -- Orders rows of the same microsecond.
    seq        BIGINT GENERATED ALWAYS AS IDENTITY,
    id         TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    owner_id   TEXT NOT NULL REFERENCES users (id),
    kind       TEXT NOT NULL CHECK (kind IN ('pdf', 'image')),
    media_type TEXT NOT NULL CHECK (media_type IN ('application/pdf', 'image/png', 'image/jpeg')),
    -- Encrypted with the file's own key, like the content.
    name       BYTEA NOT NULL,
    size       BIGINT NOT NULL CHECK (size > 0),
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
    created_at TIMESTAMPTZ NOT NULL,
    CHECK ((kind = 'pdf') = (media_type = 'application/pdf'))
);

CREATE INDEX files_by_owner ON files (owner_id, kind, created_at DESC, seq DESC);

-- Each file's key, wrapped with the master key. Without it the content is unreadable.
CREATE TABLE file_keys (
    file_id TEXT NOT NULL PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    wrapped BYTEA NOT NULL
);

-- The files that the current revision of an idea shows; its recipients may read them.
CREATE TABLE idea_files (
    idea_id BIGINT NOT NULL REFERENCES ideas (id),
    file_id TEXT NOT NULL REFERENCES files (id),
    PRIMARY KEY (idea_id, file_id)
);

CREATE INDEX idea_files_by_file ON idea_files (file_id, idea_id);

CREATE TRIGGER files_update BEFORE UPDATE ON files
FOR EACH ROW EXECUTE FUNCTION refuse('a stored file never changes');

-- FOR SHARE excludes a concurrent publication.
CREATE FUNCTION refuse_files_of_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    shown RECORD;
    idea_status TEXT;
BEGIN
    shown := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    SELECT status INTO idea_status FROM ideas WHERE id = shown.idea_id FOR SHARE;
    IF idea_status = 'published' THEN
        RAISE EXCEPTION 'what a published idea shows is final'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN shown;
END
$$;

CREATE TRIGGER idea_files_published BEFORE INSERT OR DELETE ON idea_files
FOR EACH ROW EXECUTE FUNCTION refuse_files_of_published();

CREATE TRIGGER idea_files_update BEFORE UPDATE ON idea_files
FOR EACH ROW EXECUTE FUNCTION refuse('what an idea shows is written anew, never changed');

CREATE TRIGGER idea_files_truncate BEFORE TRUNCATE ON idea_files
EXECUTE FUNCTION refuse('what a published idea shows is final');
