-- Browsers that an account has signed in with: a login with another one is notified by
-- email. One browser may be known to several accounts.
CREATE TABLE known_devices (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_hash     BLOB NOT NULL CHECK (length(key_hash) = 32),
    last_seen_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key_hash)
) STRICT;

CREATE INDEX known_devices_by_last_login ON known_devices (last_seen_at);
