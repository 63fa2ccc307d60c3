DROP TRIGGER activity_entries_delete;
DROP TRIGGER activity_entries_update;
DROP TRIGGER activity_closed;
DROP TRIGGER activity_viewed;
DROP TRIGGER activity_agreed;
DROP TRIGGER activity_registered;

CREATE TABLE new_entries (
    idea_id       INTEGER NOT NULL REFERENCES ideas (id),
    at            TEXT NOT NULL,
    step          INTEGER NOT NULL CHECK (step BETWEEN 0 AND 3),
    -- The seq of the recipient, or of the view.
    seq           INTEGER NOT NULL,
    recipient_id  TEXT NOT NULL REFERENCES recipients (id),
    view_grant_id TEXT REFERENCES view_grants (id),
    PRIMARY KEY (idea_id, at, step, seq),
    CHECK ((step = 2) = (view_grant_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO new_entries SELECT idea_id, at, step, seq, recipient_id, view_grant_id FROM activity_entries WHERE step <= 3;
DROP TABLE activity_entries;
ALTER TABLE new_entries RENAME TO activity_entries;

CREATE TRIGGER activity_registered AFTER INSERT ON recipients
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
    INSERT INTO activity_entries
    SELECT idea_id, NEW.closed_at, 3, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id AND NEW.closed_at IS NOT NULL;
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

CREATE TRIGGER activity_closed AFTER UPDATE OF closed_at ON recipients
WHEN OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.closed_at, 3, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
END;

CREATE TRIGGER activity_entries_update BEFORE UPDATE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;

CREATE TRIGGER activity_entries_delete BEFORE DELETE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;

ALTER TABLE shares DROP COLUMN allow_download;
