DROP TRIGGER comments_withdrawn;
DROP TRIGGER comments_identity;
DROP TRIGGER comments_thread;
DROP INDEX comments_by_thread;
ALTER TABLE comments DROP COLUMN withdrawn_at;
ALTER TABLE comments DROP COLUMN edited_at;
ALTER TABLE comments DROP COLUMN share_id;
ALTER TABLE comments DROP COLUMN reply_to;
