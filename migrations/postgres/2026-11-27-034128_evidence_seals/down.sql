UPDATE schema_compatibility SET oldest_version = '20261124050000';

DROP TRIGGER evidence_anchors_update ON evidence_anchors;
CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.kind, OLD.name) IS DISTINCT FROM (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed'
) EXECUTE FUNCTION refuse('a confirmation is final');

DROP TRIGGER evidence_checkpoints_update ON evidence_checkpoints;
CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.root, OLD.made_at)
    IS DISTINCT FROM (NEW.log, NEW.size, NEW.root, NEW.made_at)
    OR OLD.note IS NOT NULL
) EXECUTE FUNCTION refuse('the log is final');

DROP TRIGGER evidence_events_update ON evidence_events;
CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
FOR EACH ROW WHEN (
    (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
     OLD.once, OLD.body, OLD.digest)
    IS DISTINCT FROM
    (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
     NEW.once, NEW.body, NEW.digest)
    OR NEW.place IS NULL
    OR NEW.log <= OLD.log
) EXECUTE FUNCTION refuse('the log is final');

ALTER TABLE evidence_anchors DROP COLUMN seal;
ALTER TABLE evidence_checkpoints DROP COLUMN seal;
ALTER TABLE evidence_checkpoints DROP COLUMN previous;
ALTER TABLE evidence_events ALTER COLUMN seq SET GENERATED ALWAYS;
ALTER TABLE evidence_events DROP COLUMN seal;
