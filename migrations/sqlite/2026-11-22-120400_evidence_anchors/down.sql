DROP TABLE evidence_anchors;
