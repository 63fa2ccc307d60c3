-- The account whose action caused the email, which is notified if it cannot be
-- delivered. No foreign key, so that an email never blocks deleting its sender.
ALTER TABLE outbox_mails ADD COLUMN sender_id TEXT;
