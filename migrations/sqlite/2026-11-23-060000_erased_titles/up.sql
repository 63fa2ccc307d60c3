-- The title of the idea, in what a reader was offered, goes with its creator, also where the
-- reader was erased before.
DROP TRIGGER recipients_details;
CREATE TRIGGER recipients_details BEFORE UPDATE OF details ON recipients
WHEN NOT (
    (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
        OR OLD.agreement_erased = 0 AND NEW.agreement_erased = 1)
    AND EXISTS (
        SELECT 1 FROM evidence_events e
        WHERE e.kind = 'person.erased' AND e.recipient_id = OLD.id
    )
    OR NEW.agreement_erased = 1 AND EXISTS (
        SELECT 1 FROM evidence_events e
        WHERE e.kind = 'person.erased' AND e.recipient_id IS NULL
            AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
    )
)
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;
