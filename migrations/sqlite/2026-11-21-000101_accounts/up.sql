CREATE TABLE users (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    email         TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
    name          TEXT NOT NULL CHECK (name <> ''),
    password_hash TEXT NOT NULL CHECK (password_hash <> ''),
    profile_image TEXT,
    created_at    TEXT NOT NULL
) STRICT;

-- A session without an account is from before login.
CREATE TABLE user_sessions (
    key_hash     BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    state        TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL
) STRICT;

CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_beginning ON user_sessions (created_at);
CREATE INDEX user_sessions_by_last_request ON user_sessions (last_seen_at);
