-- A block that a calendar names is confirmed only once its header was checked, and has its time
-- then. Until now it never was.
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_check;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_check2;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_check4;
ALTER TABLE evidence_anchors DISABLE TRIGGER evidence_anchors_update;
UPDATE evidence_anchors SET state = 'pending' WHERE kind = 'ots' AND state = 'confirmed';
ALTER TABLE evidence_anchors ENABLE TRIGGER evidence_anchors_update;
ALTER TABLE evidence_anchors
ADD CONSTRAINT evidence_anchors_next_attempt
CHECK (next_attempt_at IS NOT NULL OR state = 'confirmed' OR block IS NOT NULL),
ADD CONSTRAINT evidence_anchors_no_next_attempt
CHECK (next_attempt_at IS NULL OR state <> 'confirmed'),
-- Of a calendar: that of the block, whose header was checked.
ADD CONSTRAINT evidence_anchors_time CHECK ((time IS NOT NULL) = (state = 'confirmed')),
-- While it is pending, the calendar alone says so.
ADD CONSTRAINT evidence_anchors_block
CHECK (block IS NULL OR (kind = 'ots' AND state IN ('pending', 'confirmed'))),
ADD CONSTRAINT evidence_anchors_no_block
CHECK (block IS NOT NULL OR NOT (kind = 'ots' AND state = 'confirmed'));

CREATE INDEX evidence_anchors_unchecked ON evidence_anchors (kind, name)
WHERE state = 'pending' AND next_attempt_at IS NULL;
