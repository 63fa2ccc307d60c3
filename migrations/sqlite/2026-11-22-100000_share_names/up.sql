-- The owner's name for a share, encrypted with the idea's evidence key.
ALTER TABLE shares ADD COLUMN name BLOB;

-- Finds the last view of a share.
CREATE INDEX view_grants_by_share ON view_grants (share_id, granted_at DESC);
