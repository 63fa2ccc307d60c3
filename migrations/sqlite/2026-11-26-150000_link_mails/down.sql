DROP INDEX outbox_mails_by_share;
ALTER TABLE outbox_mails DROP COLUMN share_id;
