-- Whose action a mail comes from: who is told when it can never be delivered. No
-- foreign key, since a mail outlives nothing that it could hold up.
ALTER TABLE outbox_mails ADD COLUMN sender_id TEXT;
