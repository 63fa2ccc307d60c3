-- How its owner tells a link from others; sealed with the key of the idea's evidence.
ALTER TABLE shares ADD COLUMN name BLOB;

-- When a link gave its last view.
CREATE INDEX view_grants_by_share ON view_grants (share_id, granted_at DESC);
