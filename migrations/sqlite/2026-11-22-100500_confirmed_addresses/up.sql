-- When the owner confirmed the address; null until then.
ALTER TABLE users ADD COLUMN email_confirmed_at TEXT;
-- When the owner was last notified of an attempt to register with the address.
ALTER TABLE users ADD COLUMN registration_told_at TEXT;
-- When the operator disabled the account: nobody signs in, and nothing is disclosed.
ALTER TABLE users ADD COLUMN disabled_at TEXT;

-- The newest link to confirm the address of an account. A used one is kept until it
-- expires, so that opening it again can say so.
CREATE TABLE email_confirmations (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    used_at      TEXT
) STRICT;

CREATE INDEX email_confirmations_by_end ON email_confirmations (expires_at);

-- The token of an invitation is generated when its email is queued. Older invitations
-- have none and are sent again.
ALTER TABLE invitations ADD COLUMN token_hash BLOB;
ALTER TABLE invitations ADD COLUMN expires_at TEXT;
UPDATE invitations SET announced_at = NULL;
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);

-- Wrong codes since the last right one, and until when no code is accepted.
ALTER TABLE second_factors ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE second_factors ADD COLUMN locked_until TEXT;
