-- The session that a newer key of the same browser replaces, until it is first used; and
-- when a session was replaced, from when on its key is invalid.
ALTER TABLE viewer_sessions ADD COLUMN replaces TEXT CHECK (length(replaces) = 36);
ALTER TABLE viewer_sessions ADD COLUMN replaced_at TEXT;

-- The session of a registration is no evidence: it changes with the browser's key.
DROP TRIGGER recipients_update;
CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, details, agreement_version, document_id, offered_at,
    created_at ON recipients
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

-- How a registration ended: its reader closed the document or declined the agreement,
-- or the same browser registered again.
ALTER TABLE recipients ADD COLUMN end_reason TEXT
    CHECK (end_reason IN ('closed', 'declined', 'replaced'));
UPDATE recipients SET end_reason = 'closed' WHERE closed_at IS NOT NULL;

DROP TRIGGER activity_closed;
DROP TRIGGER activity_registered;
DROP TRIGGER activity_agreed;
DROP TRIGGER activity_viewed;

-- The activity on the shares of an idea, in order: which recipient did what, when.
-- The steps are 0 registered, 1 agreed, 2 viewed, 3 closed, 4 declined, 5 downloaded.
CREATE TABLE activity_entries_new (
    idea_id       INTEGER NOT NULL REFERENCES ideas (id),
    at            TEXT NOT NULL,
    step          INTEGER NOT NULL CHECK (step BETWEEN 0 AND 5),
    -- The seq of the recipient, or of the view.
    seq           INTEGER NOT NULL,
    recipient_id  TEXT NOT NULL REFERENCES recipients (id),
    view_grant_id TEXT REFERENCES view_grants (id),
    PRIMARY KEY (idea_id, at, step, seq),
    CHECK ((step = 2) = (view_grant_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO activity_entries_new SELECT * FROM activity_entries
WHERE step <> 3
    OR EXISTS (SELECT 1 FROM view_grants g WHERE g.recipient_id = activity_entries.recipient_id);
DROP TABLE activity_entries;
ALTER TABLE activity_entries_new RENAME TO activity_entries;

CREATE TRIGGER activity_entries_update BEFORE UPDATE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;

CREATE TRIGGER activity_entries_delete BEFORE DELETE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;

CREATE TRIGGER activity_registered AFTER INSERT ON recipients
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
END;

CREATE TRIGGER activity_agreed AFTER INSERT ON nda_acceptances
BEGIN
    INSERT INTO activity_entries
    SELECT s.idea_id, NEW.accepted_at, 1, r.seq, r.id, NULL
    FROM recipients r JOIN shares s ON s.id = r.share_id WHERE r.id = NEW.recipient_id;
END;

CREATE TRIGGER activity_viewed AFTER INSERT ON view_grants
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.granted_at, 2, NEW.seq, NEW.recipient_id, NEW.id
    FROM shares WHERE id = NEW.share_id;
END;

-- A document can only be closed after a view.
CREATE TRIGGER activity_ended AFTER UPDATE OF closed_at ON recipients
WHEN OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL AND (
    NEW.end_reason = 'declined' OR NEW.end_reason = 'closed'
    AND EXISTS (SELECT 1 FROM view_grants WHERE recipient_id = NEW.id)
)
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.closed_at, CASE NEW.end_reason WHEN 'declined' THEN 4 ELSE 3 END,
        NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
END;
