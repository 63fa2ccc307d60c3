CREATE OR REPLACE FUNCTION refuse_to_erase_published() RETURNS trigger LANGUAGE plpgsql AS $$
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

ALTER TABLE users DROP COLUMN deleted_at;
