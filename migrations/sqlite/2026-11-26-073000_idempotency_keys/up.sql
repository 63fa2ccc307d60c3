-- SHA-256 of the key of the request that made an idea: when its answer is lost and the request is
-- repeated, the idea is not made twice.
ALTER TABLE ideas ADD COLUMN idempotency_key BLOB;
CREATE UNIQUE INDEX ideas_by_idempotency_key ON ideas (owner_id, idempotency_key);

-- INSERT OR REPLACE would delete the idea of that key without firing the triggers that keep it.
CREATE TRIGGER ideas_of_key_insert BEFORE INSERT ON ideas
WHEN EXISTS (
    SELECT 1 FROM ideas
    WHERE owner_id = NEW.owner_id AND idempotency_key = NEW.idempotency_key
)
BEGIN
    SELECT RAISE(IGNORE);
END;
