ALTER TABLE outbox_mails DROP COLUMN sender_id;
