-- A comment without a recipient is by the owner.
CREATE TABLE comments (
    -- Orders rows of the same microsecond.
    seq          BIGINT GENERATED ALWAYS AS IDENTITY,
    id           TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    idea_id      BIGINT NOT NULL REFERENCES ideas (id),
    recipient_id TEXT REFERENCES recipients (id),
    -- Author and text, encrypted with the idea's content key.
    sealed       BYTEA NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL
);

CREATE INDEX comments_by_idea ON comments (idea_id, created_at, seq);
CREATE INDEX comments_by_recipient ON comments (recipient_id);

-- Deleting a draft erases its comments; none may be added later. FOR SHARE makes a
-- concurrent comment wait; it then fails with a serialization failure, and its retry
-- finds the idea deleted.
CREATE FUNCTION refuse_comment_on_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    deleted BOOLEAN;
BEGIN
    SELECT deleted_at IS NOT NULL INTO deleted FROM ideas WHERE id = NEW.idea_id FOR SHARE;
    IF deleted THEN
        RAISE EXCEPTION 'a deleted idea takes no comments' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_on_deleted BEFORE INSERT ON comments
FOR EACH ROW EXECUTE FUNCTION refuse_comment_on_deleted();
