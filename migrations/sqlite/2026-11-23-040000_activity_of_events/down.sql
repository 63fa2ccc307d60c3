CREATE TABLE activity_entries (
    idea_id       INTEGER NOT NULL REFERENCES ideas (id),
    at            TEXT NOT NULL,
    step          INTEGER NOT NULL CHECK (step BETWEEN 0 AND 5),
    seq           INTEGER NOT NULL,
    recipient_id  TEXT NOT NULL REFERENCES recipients (id),
    view_grant_id TEXT REFERENCES view_grants (id),
    PRIMARY KEY (idea_id, at, step, seq),
    CHECK ((step = 2) = (view_grant_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO activity_entries
SELECT s.idea_id, r.created_at, 0, r.seq, r.id, NULL
FROM recipients r JOIN shares s ON s.id = r.share_id
WHERE r.folding <> 'folded';

INSERT INTO activity_entries
SELECT s.idea_id, a.accepted_at, 1, r.seq, r.id, NULL
FROM nda_acceptances a
JOIN recipients r ON r.id = a.recipient_id JOIN shares s ON s.id = r.share_id;

INSERT INTO activity_entries
SELECT s.idea_id, g.granted_at, 2, g.seq, r.id, g.id
FROM view_grants g
JOIN recipients r ON r.id = g.recipient_id JOIN shares s ON s.id = r.share_id;

INSERT INTO activity_entries
SELECT s.idea_id, r.closed_at, CASE r.end_reason WHEN 'declined' THEN 4 ELSE 3 END,
    r.seq, r.id, NULL
FROM recipients r JOIN shares s ON s.id = r.share_id
WHERE r.end_reason = 'declined' OR r.end_reason = 'closed'
    AND EXISTS (SELECT 1 FROM view_grants g WHERE g.recipient_id = r.id);

INSERT INTO activity_entries
SELECT e.idea_id, e.at, 5, MAX(r.seq), r.id, NULL
FROM evidence_events e JOIN recipients r ON r.id = e.recipient_id
WHERE e.kind = 'file.delivered' AND e.in_activity = 1
GROUP BY e.idea_id, e.at, r.id;

DROP TABLE downloads_before_log;
DROP TABLE ideas_before_log;
DROP INDEX evidence_events_of_activity;
ALTER TABLE evidence_events DROP COLUMN in_activity;

CREATE TRIGGER activity_registered AFTER INSERT ON recipients
WHEN NEW.folding <> 'folded'
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
END;

CREATE TRIGGER activity_unfolded AFTER UPDATE OF folding ON recipients
WHEN OLD.folding = 'folded' AND NEW.folding <> 'folded'
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

CREATE TRIGGER activity_entries_update BEFORE UPDATE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;

CREATE TRIGGER activity_entries_delete BEFORE DELETE ON activity_entries
BEGIN
    SELECT RAISE(ABORT, 'what happened is final');
END;
