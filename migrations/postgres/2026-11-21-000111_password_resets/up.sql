-- The newest request of each account; a new one replaces it.
CREATE TABLE password_resets (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
