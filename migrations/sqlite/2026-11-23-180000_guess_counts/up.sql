-- How often a password was guessed, in a window that begins with the first guess.
CREATE TABLE guess_counts (
    -- HMAC-SHA256 of the limit, and of the account and the address that it counts by.
    key_hash       BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    window_ends_at TEXT NOT NULL,
    guesses        INTEGER NOT NULL CHECK (guesses >= 0)
) STRICT;
CREATE INDEX guess_counts_by_end ON guess_counts (window_ends_at);
