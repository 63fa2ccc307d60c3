ALTER TABLE evidence_anchors DISABLE TRIGGER evidence_anchors_delete;
DELETE FROM evidence_anchors WHERE kind = 'witness';
ALTER TABLE evidence_anchors ENABLE TRIGGER evidence_anchors_delete;
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_kind_check;
ALTER TABLE evidence_anchors
ADD CONSTRAINT evidence_anchors_kind_check CHECK (kind IN ('tsa', 'ots'));
