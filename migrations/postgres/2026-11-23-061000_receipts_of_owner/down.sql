DELETE FROM daily_mail_counts WHERE kind = 'receipts-of-owner';
ALTER TABLE daily_mail_counts DROP CONSTRAINT daily_mail_counts_kind_check;
ALTER TABLE daily_mail_counts ADD CONSTRAINT daily_mail_counts_kind_check CHECK (kind IN
    ('invitations', 'invitations-of-vault', 'confirmations-of-vault', 'codes-of-owner'));
