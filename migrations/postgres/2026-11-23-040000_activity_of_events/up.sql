-- The owner's list of activity is read from the log of events.
DROP TRIGGER activity_registered ON recipients;
DROP TRIGGER activity_unfolded ON recipients;
DROP TRIGGER activity_agreed ON nda_acceptances;
DROP TRIGGER activity_viewed ON view_grants;
DROP TRIGGER activity_ended ON recipients;
DROP FUNCTION note_registered();
DROP FUNCTION note_agreed();
DROP FUNCTION note_viewed();
DROP FUNCTION note_ended();

-- What recipients did; not, for example, which image of a document was sent to them.
ALTER TABLE evidence_events ADD COLUMN in_activity BOOLEAN NOT NULL GENERATED ALWAYS AS (
    kind IN ('agreement.offered', 'agreement.accepted', 'agreement.declined',
             'view.started', 'visit.closed')
    OR (kind = 'file.delivered' AND strpos(body, '"download":true') > 0)
) STORED;
CREATE INDEX evidence_events_of_activity ON evidence_events (idea_id, in_activity, at, seq);

-- Ideas to which something may have happened before the log began. The server records it
-- and removes them.
CREATE TABLE ideas_before_log (
    idea_id BIGINT NOT NULL PRIMARY KEY REFERENCES ideas (id)
);
INSERT INTO ideas_before_log
SELECT id FROM ideas
WHERE published_at IS NOT NULL OR deleted_at IS NOT NULL
    OR EXISTS (SELECT 1 FROM shares s WHERE s.idea_id = ideas.id)
    OR EXISTS (SELECT 1 FROM comments c WHERE c.idea_id = ideas.id);

-- No other table has the downloads. Each happened in the newest view of its recipient.
CREATE TABLE downloads_before_log (
    idea_id      BIGINT NOT NULL REFERENCES ideas_before_log (idea_id) ON DELETE CASCADE,
    recipient_id TEXT NOT NULL REFERENCES recipients (id),
    view_id      TEXT NOT NULL REFERENCES view_grants (id),
    at           TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (idea_id, recipient_id, at)
);
INSERT INTO downloads_before_log
SELECT a.idea_id, a.recipient_id, g.id, a.at
FROM activity_entries a JOIN view_grants g ON g.recipient_id = a.recipient_id
WHERE a.step = 5 AND g.seq = (
    SELECT MAX(earlier.seq) FROM view_grants earlier
    WHERE earlier.recipient_id = a.recipient_id AND earlier.granted_at <= a.at
);
DROP TABLE activity_entries;
