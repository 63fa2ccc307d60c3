-- Erasure of persons (docs/evidence.md#erasure): the one exception to "never changed". An
-- event of the log says so, and only what names the person changes.

-- When the person's details were erased, and whether the agreement can no longer be
-- produced, because a person whom it names was erased.
ALTER TABLE recipients ADD COLUMN erased_at TEXT;
ALTER TABLE recipients ADD COLUMN agreement_erased INTEGER NOT NULL DEFAULT 0
    CHECK (agreement_erased IN (0, 1));

-- The reader that a mail is for.
ALTER TABLE outbox_mails ADD COLUMN recipient_id TEXT CHECK (length(recipient_id) = 36);
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (recipient_id)
WHERE recipient_id IS NOT NULL;

-- The creator of an idea was erased if no recipient is named.
CREATE INDEX evidence_events_creator_erased ON evidence_events (idea_id)
WHERE kind = 'person.erased' AND recipient_id IS NULL;

DROP TRIGGER recipients_update;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, agreement_version, document_id, offered_at, created_at
ON recipients
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

CREATE TRIGGER recipients_details BEFORE UPDATE OF details ON recipients
WHEN NOT (
    (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
        OR OLD.agreement_erased = 0 AND NEW.agreement_erased = 1)
    AND EXISTS (
        SELECT 1 FROM evidence_events e
        WHERE e.kind = 'person.erased' AND (
            e.recipient_id = OLD.id
            OR e.recipient_id IS NULL
                AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
        )
    )
)
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

CREATE TRIGGER recipients_erased BEFORE UPDATE OF erased_at, agreement_erased ON recipients
WHEN OLD.erased_at IS NOT NULL AND NEW.erased_at IS NOT OLD.erased_at
    OR NEW.agreement_erased < OLD.agreement_erased
BEGIN
    SELECT RAISE(ABORT, 'an erasure is final');
END;

DROP TRIGGER nda_acceptances_update;
CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
WHEN (OLD.recipient_id, OLD.share_id, OLD.nda_version, OLD.revision, OLD.accepted_at,
      OLD.email_confirmed_at)
    IS NOT
     (NEW.recipient_id, NEW.share_id, NEW.nda_version, NEW.revision, NEW.accepted_at,
      NEW.email_confirmed_at)
    OR NOT EXISTS (
        SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
    )
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

DROP TRIGGER comments_withdrawn;
CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
WHEN OLD.withdrawn_at IS NOT NULL AND (
    (OLD.edited_at, OLD.withdrawn_at) IS NOT (NEW.edited_at, NEW.withdrawn_at)
    OR NOT EXISTS (
        SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
    )
)
BEGIN
    SELECT RAISE(ABORT, 'a withdrawn comment is final');
END;

-- Only the data of a person whose erasure is on record may go: of a reader, or of the
-- creator, whom the events about no reader name.
DROP TRIGGER evidence_disclosures_delete;
CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
WHEN NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
        AND erased.kind = 'person.erased'
    WHERE e.seq = OLD.event
) AND NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.idea_id = e.idea_id
        AND erased.kind = 'person.erased' AND erased.recipient_id IS NULL
    WHERE e.seq = OLD.event AND e.recipient_id IS NULL
)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;
