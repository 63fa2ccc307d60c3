DROP INDEX files_by_idempotency_key;
ALTER TABLE files DROP COLUMN idempotency_key;
