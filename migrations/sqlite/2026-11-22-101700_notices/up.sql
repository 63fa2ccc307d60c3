-- How an account is notified by email of activity on its shares.
ALTER TABLE users ADD COLUMN notification_mode TEXT NOT NULL DEFAULT 'at-once'
    CHECK (notification_mode IN ('at-once', 'daily', 'never'));

-- The shares with another mode than their account.
CREATE TABLE share_notification_modes (
    share_id TEXT NOT NULL PRIMARY KEY REFERENCES shares (id) ON DELETE CASCADE,
    mode     TEXT NOT NULL CHECK (mode IN ('at-once', 'daily', 'never'))
) STRICT;

-- Notices for owners and readers. The recipient's details are in recipients, encrypted.
CREATE TABLE notices (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The owner of the share.
    account_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    share_id     TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL CHECK (kind IN ('agreed', 'first-read', 'commented', 'declined',
        'refused', 'used-up', 'one-view-left', 'ending-soon', 'answered')),
    -- The recipient concerned; 'answered' is for that recipient, all others for the owner.
    recipient_id TEXT REFERENCES recipients (id) ON DELETE CASCADE,
    -- The number of events, and the times of the first and the last one.
    count        INTEGER NOT NULL CHECK (count >= 1),
    first_at     TEXT NOT NULL,
    last_at      TEXT NOT NULL,
    read_at      TEXT,
    -- When the mailer processes it (again).
    due_at       TEXT NOT NULL,
    -- When it was put into an email, or it was decided to send none.
    settled_at   TEXT,
    mail_id      TEXT,
    CHECK (kind <> 'answered' OR recipient_id IS NOT NULL),
    CHECK (mail_id IS NULL OR settled_at IS NOT NULL)
) STRICT;

-- A share ends once.
CREATE UNIQUE INDEX notices_once ON notices (share_id, kind)
WHERE kind IN ('used-up', 'one-view-left', 'ending-soon');
CREATE INDEX notices_due ON notices (due_at) WHERE settled_at IS NULL;
CREATE INDEX notices_pending ON notices (account_id, seq) WHERE settled_at IS NULL;
CREATE INDEX notices_by_account ON notices (account_id, last_at DESC, seq DESC);
CREATE INDEX notices_by_share ON notices (share_id, kind, first_at);
CREATE INDEX notices_by_recipient ON notices (recipient_id) WHERE recipient_id IS NOT NULL;
CREATE INDEX notices_by_age ON notices (last_at);
CREATE INDEX shares_by_end ON shares (expires_at)
WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- Unsubscribe links, by the hash of their token.
CREATE TABLE unsubscribe_tokens (
    token_hash   BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id   TEXT REFERENCES users (id) ON DELETE CASCADE,
    recipient_id TEXT REFERENCES recipients (id) ON DELETE CASCADE,
    created_at   TEXT NOT NULL,
    CHECK ((account_id IS NULL) <> (recipient_id IS NULL))
) STRICT;

CREATE INDEX unsubscribe_tokens_by_age ON unsubscribe_tokens (created_at);
CREATE INDEX unsubscribe_tokens_by_account ON unsubscribe_tokens (account_id);
CREATE INDEX unsubscribe_tokens_by_recipient ON unsubscribe_tokens (recipient_id);

-- Recipients who have unsubscribed from emails about answers to their comments.
CREATE TABLE muted_recipients (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id) ON DELETE CASCADE
) STRICT;
