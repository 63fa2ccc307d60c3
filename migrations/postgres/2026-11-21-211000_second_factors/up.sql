-- The authenticator app of an account. Without a time of confirmation the setup is
-- incomplete: no code was entered yet.
CREATE TABLE second_factors (
    user_id       TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_sealed BYTEA NOT NULL CHECK (length(secret_sealed) > 8),
    confirmed_at  TIMESTAMPTZ,
    -- The time step of the last accepted code; only later ones are accepted.
    last_step     BIGINT NOT NULL CHECK (last_step >= 0)
);

-- The unused recovery codes. They are deleted with the app that they replace.
CREATE TABLE recovery_codes (
    user_id   TEXT NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);
