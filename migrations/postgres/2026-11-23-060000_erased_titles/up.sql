-- The title of the idea, in what a reader was offered, goes with its creator, also where the
-- reader was erased before.
CREATE OR REPLACE FUNCTION refuse_change_of_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
            OR NOT OLD.agreement_erased AND NEW.agreement_erased)
        AND EXISTS (
            SELECT 1 FROM evidence_events e
            WHERE e.kind = 'person.erased' AND e.recipient_id = OLD.id
        )
        OR NEW.agreement_erased AND EXISTS (
            SELECT 1 FROM evidence_events e
            WHERE e.kind = 'person.erased' AND e.recipient_id IS NULL
                AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'what a recipient was offered is final'
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;
