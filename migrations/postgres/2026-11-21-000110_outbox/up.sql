-- Emails that wait for delivery. A claim counts an attempt and sets the next attempt to
-- the end of its lease.
CREATE TABLE outbox_mails (
    -- Orders rows of the same microsecond.
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    sealed          BYTEA NOT NULL CHECK (length(sealed) > 0),
    queued_at       TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TIMESTAMPTZ NOT NULL
);

CREATE INDEX outbox_mails_by_turn ON outbox_mails (next_attempt_at, seq);
