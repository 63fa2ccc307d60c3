-- Mails with codes are counted too, for the account whose link asks for them.
ALTER TABLE daily_mail_counts DROP CONSTRAINT daily_mail_counts_kind_check;
ALTER TABLE daily_mail_counts ADD CONSTRAINT daily_mail_counts_kind_check CHECK (kind IN
    ('invitations', 'invitations-of-vault', 'confirmations-of-vault', 'codes-of-owner'));
