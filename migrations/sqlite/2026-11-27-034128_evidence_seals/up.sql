-- Seals: keyed digests of rows, under a key derived from the master key. What has none was not
-- written by a server of this vault, and is not signed (docs/evidence.md#seals). A rotation of the
-- master key renews them.

ALTER TABLE evidence_events ADD COLUMN seal BLOB;
-- The size of the checkpoint before.
ALTER TABLE evidence_checkpoints ADD COLUMN previous INTEGER NOT NULL DEFAULT 0
    CHECK (previous >= 0);
ALTER TABLE evidence_checkpoints ADD COLUMN seal BLOB;
-- Of a confirmation, or a promise of one.
ALTER TABLE evidence_anchors ADD COLUMN seal BLOB;

DROP TRIGGER evidence_events_update;
CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
WHEN (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
      OLD.once, OLD.body, OLD.digest)
    IS NOT
     (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
      NEW.once, NEW.body, NEW.digest)
    OR (OLD.log, OLD.place) IS NOT (NEW.log, NEW.place)
        AND (NEW.place IS NULL OR NEW.log <= OLD.log)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

DROP TRIGGER evidence_checkpoints_update;
UPDATE evidence_checkpoints SET previous = coalesce((
    SELECT max(earlier.size) FROM evidence_checkpoints earlier
    WHERE earlier.log = evidence_checkpoints.log AND earlier.size < evidence_checkpoints.size
), 0);
CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
WHEN (OLD.log, OLD.size, OLD.root, OLD.made_at, OLD.previous)
    IS NOT (NEW.log, NEW.size, NEW.root, NEW.made_at, NEW.previous)
    OR OLD.note IS NOT NULL AND NEW.note IS NOT OLD.note
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

DROP TRIGGER evidence_anchors_update;
CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
WHEN (OLD.log, OLD.size, OLD.kind, OLD.name) IS NOT (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed' AND
        (OLD.state, OLD.attempts, OLD.asked_at, OLD.next_attempt_at, OLD.error, OLD.artefact,
         OLD.chain, OLD.time, OLD.block)
        IS NOT
        (NEW.state, NEW.attempts, NEW.asked_at, NEW.next_attempt_at, NEW.error, NEW.artefact,
         NEW.chain, NEW.time, NEW.block)
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

-- Programs that do not seal what they write cannot be beside those that ask for it.
UPDATE schema_compatibility SET oldest_version = '20261127034128';
