-- Witnesses cosign checkpoints (C2SP tlog-witness).
ALTER TABLE evidence_anchors DROP CONSTRAINT evidence_anchors_kind_check;
ALTER TABLE evidence_anchors
ADD CONSTRAINT evidence_anchors_kind_check CHECK (kind IN ('tsa', 'ots', 'witness'));
