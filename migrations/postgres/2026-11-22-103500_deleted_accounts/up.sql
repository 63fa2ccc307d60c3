-- When the operator deleted the account. Its row is kept without a name or an address,
-- since evidence of others refers to its ideas.
ALTER TABLE users ADD COLUMN deleted_at TIMESTAMPTZ;

-- FOR SHARE excludes a concurrent publication.
CREATE OR REPLACE FUNCTION refuse_to_erase_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    idea_status TEXT;
    idea_owner TEXT;
BEGIN
    SELECT status, owner_id INTO idea_status, idea_owner FROM ideas
    WHERE id = OLD.idea_id
    FOR SHARE;
    IF idea_status = 'published'
        AND EXISTS (SELECT FROM users WHERE id = idea_owner AND deleted_at IS NULL)
    THEN
        RAISE EXCEPTION 'the keys of a published idea are kept'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
