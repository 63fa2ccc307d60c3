-- The authenticator app of an account. Without a time of confirmation it was only
-- begun: no code of it was seen yet.
CREATE TABLE second_factors (
    user_id       TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_sealed BYTEA NOT NULL CHECK (length(secret_sealed) > 8),
    confirmed_at  TIMESTAMPTZ,
    -- The step of the last code that was accepted; none before it is any more.
    last_step     BIGINT NOT NULL CHECK (last_step >= 0)
);

-- The ones that were not used yet. They end with the app that they stand in for.
CREATE TABLE recovery_codes (
    user_id   TEXT NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);
