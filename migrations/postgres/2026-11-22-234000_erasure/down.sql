CREATE OR REPLACE FUNCTION refuse_disclosure_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
            AND erased.kind = 'person.erased'
        WHERE e.seq = OLD.event
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log is final' USING ERRCODE = 'check_violation';
END
$$;

DROP TRIGGER comments_withdrawn ON comments;
CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL)
EXECUTE FUNCTION refuse_comment_change();
DROP FUNCTION refuse_change_of_withdrawn();

DROP TRIGGER nda_acceptances_update ON nda_acceptances;
CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse('an acceptance is final');
DROP FUNCTION refuse_change_of_acceptance();

DROP TRIGGER recipients_erased ON recipients;
DROP TRIGGER recipients_details ON recipients;
DROP FUNCTION refuse_change_of_details();
DROP TRIGGER recipients_update ON recipients;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, details, agreement_version, document_id, offered_at,
    created_at ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

DROP INDEX evidence_events_creator_erased;
DROP INDEX outbox_mails_by_recipient;
ALTER TABLE outbox_mails DROP COLUMN recipient_id;
ALTER TABLE recipients DROP COLUMN agreement_erased;
ALTER TABLE recipients DROP COLUMN erased_at;
