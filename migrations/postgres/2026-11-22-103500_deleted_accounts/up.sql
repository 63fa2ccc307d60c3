-- When the operator deleted the account. Its row stays, without a name or an
-- address, since evidence that others hold points to its ideas.
ALTER TABLE users ADD COLUMN deleted_at TIMESTAMPTZ;

-- The share lock makes this wait for a publication under way, and that for this.
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
