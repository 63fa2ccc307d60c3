DROP TRIGGER ideas_of_key_insert;
DROP INDEX ideas_by_idempotency_key;
ALTER TABLE ideas DROP COLUMN idempotency_key;
