DROP TRIGGER activity_ended ON recipients;
DROP FUNCTION note_ended();
CREATE FUNCTION note_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.closed_at, 3, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER activity_closed AFTER UPDATE OF closed_at ON recipients
FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
EXECUTE FUNCTION note_closed();

CREATE OR REPLACE FUNCTION note_registered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
    INSERT INTO activity_entries
    SELECT idea_id, NEW.closed_at, 3, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id AND NEW.closed_at IS NOT NULL;
    RETURN NULL;
END
$$;

ALTER TABLE activity_entries DISABLE TRIGGER activity_entries_delete;
DELETE FROM activity_entries WHERE step = 4;
ALTER TABLE activity_entries ENABLE TRIGGER activity_entries_delete;

ALTER TABLE recipients DROP COLUMN end_reason;

DROP TRIGGER recipients_update ON recipients;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, viewer_session_id, share_id, details, agreement_version,
    document_id, offered_at, created_at ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

ALTER TABLE viewer_sessions DROP COLUMN replaced_at;
ALTER TABLE viewer_sessions DROP COLUMN replaces;
