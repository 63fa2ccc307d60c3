ALTER TABLE outbox_mails DROP COLUMN unconfirmed;
