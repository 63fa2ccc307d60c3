UPDATE schema_compatibility SET oldest_version = '20261124050000';

DROP TRIGGER evidence_anchors_update;
CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
WHEN (OLD.log, OLD.size, OLD.kind, OLD.name) IS NOT (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed'
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

DROP TRIGGER evidence_checkpoints_update;
CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
WHEN (OLD.log, OLD.size, OLD.root, OLD.made_at)
    IS NOT (NEW.log, NEW.size, NEW.root, NEW.made_at)
    OR OLD.note IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

DROP TRIGGER evidence_events_update;
CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
WHEN (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
      OLD.once, OLD.body, OLD.digest)
    IS NOT
     (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
      NEW.once, NEW.body, NEW.digest)
    OR NEW.place IS NULL
    OR NEW.log <= OLD.log
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

ALTER TABLE evidence_anchors DROP COLUMN seal;
ALTER TABLE evidence_checkpoints DROP COLUMN seal;
ALTER TABLE evidence_checkpoints DROP COLUMN previous;
ALTER TABLE evidence_events DROP COLUMN seal;
