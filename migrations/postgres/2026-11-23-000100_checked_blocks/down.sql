DROP INDEX evidence_anchors_unchecked;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_next_attempt;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_no_next_attempt;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_time;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_block;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_no_block;
ALTER TABLE evidence_anchors DISABLE TRIGGER evidence_anchors_update;
UPDATE evidence_anchors SET state = 'confirmed', next_attempt_at = NULL, time = NULL
WHERE block IS NOT NULL;
ALTER TABLE evidence_anchors ENABLE TRIGGER evidence_anchors_update;
ALTER TABLE evidence_anchors
ADD CONSTRAINT evidence_anchors_check CHECK ((next_attempt_at IS NULL) = (state = 'confirmed')),
ADD CONSTRAINT evidence_anchors_check2
CHECK ((time IS NOT NULL) = (state = 'confirmed' AND kind = 'tsa')),
ADD CONSTRAINT evidence_anchors_check4
CHECK ((block IS NOT NULL) = (state = 'confirmed' AND kind = 'ots'));
