CREATE TABLE shares (
    -- Orders rows of the same microsecond.
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    idea_id         BIGINT NOT NULL REFERENCES ideas (id),
    share_type      TEXT NOT NULL
        CHECK (share_type IN ('one-time', 'time-dependent', 'full-access', 'email')),
    expires_at      TIMESTAMPTZ,
    max_views       INTEGER CHECK (max_views > 0),
    recipient_email TEXT,
    token_hash      BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    token_sealed    BYTEA NOT NULL,
    view_count      INTEGER NOT NULL CHECK (view_count >= 0),
    revoked_at      TIMESTAMPTZ,
    created_at      TIMESTAMPTZ NOT NULL,
    CHECK (share_type <> 'one-time' OR max_views IS NOT NULL),
    CHECK (share_type <> 'time-dependent' OR expires_at IS NOT NULL),
    CHECK (share_type <> 'email' OR recipient_email IS NOT NULL),
    CHECK (max_views IS NULL OR view_count <= max_views)
);

CREATE INDEX shares_by_idea ON shares (idea_id, created_at DESC, seq DESC);

-- Agreements refer to the idea through the share.
CREATE TRIGGER shares_identity BEFORE UPDATE OF id, idea_id, share_type, created_at ON shares
FOR EACH ROW EXECUTE FUNCTION refuse('what a link discloses never changes');
