-- SHA-256 of the key of the request that uploaded an image: when its answer is lost and the request
-- is repeated, the image is not stored twice.
ALTER TABLE files ADD COLUMN idempotency_key BLOB;
CREATE UNIQUE INDEX files_by_idempotency_key ON files (owner_id, idempotency_key);
