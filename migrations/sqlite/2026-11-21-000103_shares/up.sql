CREATE TABLE shares (
    -- Orders rows of the same microsecond.
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    idea_id         INTEGER NOT NULL REFERENCES ideas (id),
    share_type      TEXT NOT NULL
        CHECK (share_type IN ('one-time', 'time-dependent', 'full-access', 'email')),
    expires_at      TEXT,
    max_views       INTEGER CHECK (max_views > 0),
    recipient_email TEXT,
    token_hash      BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    token_sealed    BLOB NOT NULL,
    view_count      INTEGER NOT NULL CHECK (view_count >= 0),
    revoked_at      TEXT,
    created_at      TEXT NOT NULL,
    CHECK (share_type <> 'one-time' OR max_views IS NOT NULL),
    CHECK (share_type <> 'time-dependent' OR expires_at IS NOT NULL),
    CHECK (share_type <> 'email' OR recipient_email IS NOT NULL),
    CHECK (max_views IS NULL OR view_count <= max_views)
) STRICT;

CREATE INDEX shares_by_idea ON shares (idea_id, created_at DESC, seq DESC);

-- Agreements refer to the idea through the share.
CREATE TRIGGER shares_identity BEFORE UPDATE OF id, idea_id, share_type, created_at ON shares
BEGIN
    SELECT RAISE(ABORT, 'what a link discloses never changes');
END;
