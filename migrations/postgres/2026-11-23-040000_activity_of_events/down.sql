CREATE TABLE activity_entries (
    idea_id       BIGINT NOT NULL REFERENCES ideas (id),
    at            TIMESTAMPTZ NOT NULL,
    step          INTEGER NOT NULL CHECK (step BETWEEN 0 AND 5),
    seq           BIGINT NOT NULL,
    recipient_id  TEXT NOT NULL REFERENCES recipients (id),
    view_grant_id TEXT REFERENCES view_grants (id),
    PRIMARY KEY (idea_id, at, step, seq),
    CONSTRAINT activity_entries_check CHECK ((step = 2) = (view_grant_id IS NOT NULL))
);

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
WHERE e.kind = 'file.delivered' AND e.in_activity
GROUP BY e.idea_id, e.at, r.id;

DROP TABLE downloads_before_log;
DROP TABLE ideas_before_log;
DROP INDEX evidence_events_of_activity;
ALTER TABLE evidence_events DROP COLUMN in_activity;

CREATE FUNCTION note_registered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_agreed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT s.idea_id, NEW.accepted_at, 1, r.seq, r.id, NULL
    FROM recipients r JOIN shares s ON s.id = r.share_id WHERE r.id = NEW.recipient_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_viewed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.granted_at, 2, NEW.seq, NEW.recipient_id, NEW.id
    FROM shares WHERE id = NEW.share_id;
    RETURN NULL;
END
$$;

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

CREATE TRIGGER activity_registered AFTER INSERT ON recipients
FOR EACH ROW WHEN (NEW.folding <> 'folded') EXECUTE FUNCTION note_registered();

CREATE TRIGGER activity_unfolded AFTER UPDATE OF folding ON recipients
FOR EACH ROW WHEN (OLD.folding = 'folded' AND NEW.folding <> 'folded')
EXECUTE FUNCTION note_registered();

CREATE TRIGGER activity_agreed AFTER INSERT ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION note_agreed();

CREATE TRIGGER activity_viewed AFTER INSERT ON view_grants
FOR EACH ROW EXECUTE FUNCTION note_viewed();

CREATE TRIGGER activity_ended AFTER UPDATE OF closed_at ON recipients
FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
EXECUTE FUNCTION note_ended();

CREATE TRIGGER activity_entries_update BEFORE UPDATE ON activity_entries
FOR EACH ROW EXECUTE FUNCTION refuse('what happened is final');

CREATE TRIGGER activity_entries_delete BEFORE DELETE ON activity_entries
FOR EACH ROW EXECUTE FUNCTION refuse('what happened is final');
