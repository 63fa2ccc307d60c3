-- The link that a mail brings to its reader. With the link, the mail is withdrawn if it still waits.
ALTER TABLE outbox_mails ADD COLUMN share_id TEXT CHECK (length(share_id) = 36);
CREATE INDEX outbox_mails_by_share ON outbox_mails (share_id) WHERE share_id IS NOT NULL;
