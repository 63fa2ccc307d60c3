-- Erasure of persons (docs/evidence.md#erasure): the one exception to "never changed". An
-- event of the log says so, and only what names the person changes.

-- When the person's details were erased, and whether the agreement can no longer be
-- produced, because a person whom it names was erased.
ALTER TABLE recipients ADD COLUMN erased_at TIMESTAMPTZ;
ALTER TABLE recipients ADD COLUMN agreement_erased BOOLEAN NOT NULL DEFAULT FALSE;

-- The reader that a mail is for.
ALTER TABLE outbox_mails ADD COLUMN recipient_id TEXT CHECK (length(recipient_id) = 36);
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (recipient_id)
WHERE recipient_id IS NOT NULL;

-- The creator of an idea was erased if no recipient is named.
CREATE INDEX evidence_events_creator_erased ON evidence_events (idea_id)
WHERE kind = 'person.erased' AND recipient_id IS NULL;

DROP TRIGGER recipients_update ON recipients;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, agreement_version, document_id, offered_at, created_at
ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

CREATE FUNCTION refuse_change_of_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
            OR NOT OLD.agreement_erased AND NEW.agreement_erased)
        AND EXISTS (
            SELECT 1 FROM evidence_events e
            WHERE e.kind = 'person.erased' AND (
                e.recipient_id = OLD.id
                OR e.recipient_id IS NULL
                    AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
            )
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'what a recipient was offered is final'
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER recipients_details BEFORE UPDATE OF details ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_details();

CREATE TRIGGER recipients_erased BEFORE UPDATE OF erased_at, agreement_erased ON recipients
FOR EACH ROW WHEN (
    OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
    OR NEW.agreement_erased < OLD.agreement_erased
) EXECUTE FUNCTION refuse('an erasure is final');

CREATE FUNCTION refuse_change_of_acceptance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.recipient_id, OLD.share_id, OLD.nda_version, OLD.revision, OLD.accepted_at,
        OLD.email_confirmed_at)
        IS NOT DISTINCT FROM
       (NEW.recipient_id, NEW.share_id, NEW.nda_version, NEW.revision, NEW.accepted_at,
        NEW.email_confirmed_at)
        AND EXISTS (
            SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an acceptance is final' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

DROP TRIGGER nda_acceptances_update ON nda_acceptances;
CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_acceptance();

CREATE FUNCTION refuse_change_of_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.edited_at, OLD.withdrawn_at) IS NOT DISTINCT FROM (NEW.edited_at, NEW.withdrawn_at)
        AND EXISTS (
            SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a withdrawn comment is final'
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

DROP TRIGGER comments_withdrawn ON comments;
CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL)
EXECUTE FUNCTION refuse_change_of_withdrawn();

-- Only the data of a person whose erasure is on record may go: of a reader, or of the
-- creator, whom the events about no reader name.
CREATE OR REPLACE FUNCTION refuse_disclosure_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
            AND erased.kind = 'person.erased'
        WHERE e.seq = OLD.event
    ) OR EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.idea_id = e.idea_id
            AND erased.kind = 'person.erased' AND erased.recipient_id IS NULL
        WHERE e.seq = OLD.event AND e.recipient_id IS NULL
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log is final' USING ERRCODE = 'check_violation';
END
$$;
