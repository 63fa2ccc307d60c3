-- How often a mail was handed over completely without an answer from the mail server.
ALTER TABLE outbox_mails ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed >= 0);
