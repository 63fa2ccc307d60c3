-- Mails with receipts are counted too, for the account whose link they are about.
CREATE TABLE daily_mail_counts_new (
    kind        TEXT NOT NULL CHECK (kind IN
        ('invitations', 'invitations-of-vault', 'confirmations-of-vault', 'codes-of-owner',
         'receipts-of-owner')),
    -- The account that caused them; empty where all accounts count together.
    account     TEXT NOT NULL CHECK (length(account) IN (0, 36)),
    -- End of the day.
    day_ends_at TEXT NOT NULL,
    mails       INTEGER NOT NULL CHECK (mails >= 1),
    PRIMARY KEY (kind, account, day_ends_at)
) STRICT;
INSERT INTO daily_mail_counts_new SELECT kind, account, day_ends_at, mails FROM daily_mail_counts;
DROP TABLE daily_mail_counts;
ALTER TABLE daily_mail_counts_new RENAME TO daily_mail_counts;
