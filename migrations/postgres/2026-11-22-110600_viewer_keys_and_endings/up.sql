-- The session that a newer key of the same browser replaces, until it is first used; and
-- when a session was replaced, from when on its key is invalid.
ALTER TABLE viewer_sessions ADD COLUMN replaces TEXT CHECK (length(replaces) = 36);
ALTER TABLE viewer_sessions ADD COLUMN replaced_at TIMESTAMPTZ;

-- The session of a registration is no evidence: it changes with the browser's key.
DROP TRIGGER recipients_update ON recipients;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, details, agreement_version, document_id, offered_at,
    created_at ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

-- How a registration ended: its reader closed the document or declined the agreement,
-- or the same browser registered again.
ALTER TABLE recipients ADD COLUMN end_reason TEXT
    CHECK (end_reason IN ('closed', 'declined', 'replaced'));
UPDATE recipients SET end_reason = 'closed' WHERE closed_at IS NOT NULL;

-- Step 4 is 'declined'.
CREATE OR REPLACE FUNCTION note_registered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
    RETURN NULL;
END
$$;

-- A document can only be closed after a view.
ALTER TABLE activity_entries DISABLE TRIGGER activity_entries_delete;
DELETE FROM activity_entries a WHERE step = 3
    AND NOT EXISTS (SELECT 1 FROM view_grants g WHERE g.recipient_id = a.recipient_id);
ALTER TABLE activity_entries ENABLE TRIGGER activity_entries_delete;

DROP TRIGGER activity_closed ON recipients;
DROP FUNCTION note_closed();
CREATE FUNCTION note_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.end_reason = 'declined' OR NEW.end_reason = 'closed'
        AND EXISTS (SELECT 1 FROM view_grants WHERE recipient_id = NEW.id) THEN
        INSERT INTO activity_entries
        SELECT idea_id, NEW.closed_at,
            CASE NEW.end_reason WHEN 'declined' THEN 4 ELSE 3 END, NEW.seq, NEW.id, NULL
        FROM shares WHERE id = NEW.share_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER activity_ended AFTER UPDATE OF closed_at ON recipients
FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
EXECUTE FUNCTION note_ended();
