-- How many mails of a kind were queued on a UTC day. Revoking a link or deleting an account
-- gives nothing back.
CREATE TABLE daily_mail_counts (
    kind        TEXT NOT NULL
        CHECK (kind IN ('invitations', 'invitations-of-vault', 'confirmations-of-vault')),
    -- The account that caused them; empty where all accounts count together.
    account     TEXT NOT NULL CHECK (length(account) IN (0, 36)),
    -- End of the day.
    day_ends_at TIMESTAMPTZ NOT NULL,
    mails       INTEGER NOT NULL CHECK (mails >= 1),
    PRIMARY KEY (kind, account, day_ends_at)
);
