CREATE TABLE viewer_sessions (
    id         TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    key_hash   BYTEA NOT NULL UNIQUE CHECK (length(key_hash) = 32),
    created_at TIMESTAMPTZ NOT NULL
);

-- The agreement's text is produced only from agreement_version, document_id, offered_at,
-- the share's idea and the encrypted details (name, email, phone, the idea's title, the
-- sharer).
CREATE TABLE recipients (
    -- Orders rows of the same microsecond.
    seq               BIGINT GENERATED ALWAYS AS IDENTITY,
    id                TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    viewer_session_id TEXT NOT NULL REFERENCES viewer_sessions (id),
    share_id          TEXT NOT NULL REFERENCES shares (id),
    details           BYTEA NOT NULL,
    agreement_version TEXT NOT NULL CHECK (agreement_version <> ''),
    document_id       TEXT,
    offered_at        TIMESTAMPTZ NOT NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    closed_at         TIMESTAMPTZ,
    UNIQUE (id, share_id)
);

CREATE UNIQUE INDEX recipients_open ON recipients (viewer_session_id, share_id)
WHERE closed_at IS NULL;
CREATE INDEX recipients_by_viewer
ON recipients (viewer_session_id, share_id, created_at DESC, seq DESC);
CREATE INDEX recipients_by_share ON recipients (share_id);

CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, viewer_session_id, share_id, details, agreement_version,
    document_id, offered_at, created_at ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

CREATE TABLE nda_acceptances (
    recipient_id    TEXT NOT NULL PRIMARY KEY,
    share_id        TEXT NOT NULL,
    nda_version     TEXT NOT NULL CHECK (nda_version <> ''),
    nda_sha256      TEXT NOT NULL CHECK (length(nda_sha256) = 64),
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 TEXT NOT NULL CHECK (length(revision_sha256) = 64),
    accepted_at     TIMESTAMPTZ NOT NULL,
    -- Address and browser, encrypted.
    origin          BYTEA NOT NULL,
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
);

CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse('an acceptance is final');

CREATE TRIGGER nda_acceptances_delete BEFORE DELETE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse('an acceptance is final');

CREATE TRIGGER nda_acceptances_truncate BEFORE TRUNCATE ON nda_acceptances
EXECUTE FUNCTION refuse('an acceptance is final');

CREATE TABLE view_grants (
    -- Orders rows of the same microsecond.
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    share_id        TEXT NOT NULL,
    recipient_id    TEXT NOT NULL,
    -- The recipient again if the share gives each recipient one view; UNIQUE
    -- enforces that limit.
    only_grant_of   TEXT UNIQUE,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 TEXT NOT NULL CHECK (length(revision_sha256) = 64),
    granted_at      TIMESTAMPTZ NOT NULL,
    ends_at         TIMESTAMPTZ NOT NULL,
    CHECK (only_grant_of = recipient_id),
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
);

CREATE INDEX view_grants_by_recipient ON view_grants (recipient_id, granted_at DESC, seq DESC);
