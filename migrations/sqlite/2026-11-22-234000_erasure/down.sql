DROP TRIGGER evidence_disclosures_delete;
CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
WHEN NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
        AND erased.kind = 'person.erased'
    WHERE e.seq = OLD.event
)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

DROP TRIGGER comments_withdrawn;
CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
WHEN OLD.withdrawn_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a withdrawn comment is final');
END;

DROP TRIGGER nda_acceptances_update;
CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

DROP TRIGGER recipients_erased;
DROP TRIGGER recipients_details;
DROP TRIGGER recipients_update;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, details, agreement_version, document_id, offered_at,
    created_at ON recipients
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

DROP INDEX evidence_events_creator_erased;
DROP INDEX outbox_mails_by_recipient;
ALTER TABLE outbox_mails DROP COLUMN recipient_id;
ALTER TABLE recipients DROP COLUMN agreement_erased;
ALTER TABLE recipients DROP COLUMN erased_at;
