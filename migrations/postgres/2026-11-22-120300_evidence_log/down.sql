DROP TABLE evidence_checkpoints;
DROP TABLE evidence_nodes;
DROP TABLE evidence_disclosures;
DROP TABLE evidence_events;
DROP TABLE evidence_log_keys;
DROP TABLE evidence_logs;
DROP FUNCTION refuse_disclosure_loss();
