-- SHA-256 of the key of the request that made an idea: when its answer is lost and the request is
-- repeated, the idea is not made twice.
ALTER TABLE ideas ADD COLUMN idempotency_key BYTEA;
CREATE UNIQUE INDEX ideas_by_idempotency_key ON ideas (owner_id, idempotency_key);
