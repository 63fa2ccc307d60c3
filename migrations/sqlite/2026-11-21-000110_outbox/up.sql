-- Mails that wait for delivery. A claim counts an attempt and moves the next
-- one to where its lease ends.
CREATE TABLE outbox_mails (
    -- Orders what happened within one microsecond.
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    sealed          BLOB NOT NULL CHECK (length(sealed) > 0),
    queued_at       TEXT NOT NULL,
    expires_at      TEXT NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TEXT NOT NULL
) STRICT;

CREATE INDEX outbox_mails_by_turn ON outbox_mails (next_attempt_at, seq);
