-- Mails with receipts are counted too, for the account whose link they are about.
ALTER TABLE daily_mail_counts DROP CONSTRAINT daily_mail_counts_kind_check;
ALTER TABLE daily_mail_counts ADD CONSTRAINT daily_mail_counts_kind_check CHECK (kind IN
    ('invitations', 'invitations-of-vault', 'confirmations-of-vault', 'codes-of-owner',
     'receipts-of-owner'));
