-- Emails that wait for delivery. A claim counts an attempt and sets the next attempt to
-- the end of its lease.
CREATE TABLE outbox_mails (
    -- Orders rows of the same microsecond.
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    sealed          BLOB NOT NULL CHECK (length(sealed) > 0),
    queued_at       TEXT NOT NULL,
    expires_at      TEXT NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TEXT NOT NULL
) STRICT;

CREATE INDEX outbox_mails_by_turn ON outbox_mails (next_attempt_at, seq);
