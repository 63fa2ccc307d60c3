DROP INDEX ideas_by_idempotency_key;
ALTER TABLE ideas DROP COLUMN idempotency_key;
