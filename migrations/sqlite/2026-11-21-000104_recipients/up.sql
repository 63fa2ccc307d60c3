CREATE TABLE viewer_sessions (
    id         TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    key_hash   BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
    created_at TEXT NOT NULL
) STRICT;

-- The agreement's text is produced only from agreement_version, document_id, offered_at,
-- the share's idea and the encrypted details (name, email, phone, the idea's title, the
-- sharer).
CREATE TABLE recipients (
    -- Orders rows of the same microsecond.
    seq               INTEGER PRIMARY KEY AUTOINCREMENT,
    id                TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    viewer_session_id TEXT NOT NULL REFERENCES viewer_sessions (id),
    share_id          TEXT NOT NULL REFERENCES shares (id),
    details           BLOB NOT NULL,
    agreement_version TEXT NOT NULL CHECK (agreement_version <> ''),
    document_id       TEXT,
    offered_at        TEXT NOT NULL,
    created_at        TEXT NOT NULL,
    closed_at         TEXT,
    UNIQUE (id, share_id)
) STRICT;

CREATE UNIQUE INDEX recipients_open ON recipients (viewer_session_id, share_id)
WHERE closed_at IS NULL;
CREATE INDEX recipients_by_viewer
ON recipients (viewer_session_id, share_id, created_at DESC, seq DESC);
CREATE INDEX recipients_by_share ON recipients (share_id);

CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, viewer_session_id, share_id, details, agreement_version,
    document_id, offered_at, created_at ON recipients
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE; also below.
CREATE TRIGGER recipients_replace BEFORE INSERT ON recipients
WHEN EXISTS (SELECT 1 FROM recipients WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

CREATE TABLE nda_acceptances (
    recipient_id    TEXT NOT NULL PRIMARY KEY,
    share_id        TEXT NOT NULL,
    nda_version     TEXT NOT NULL CHECK (nda_version <> ''),
    nda_sha256      TEXT NOT NULL CHECK (length(nda_sha256) = 64),
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 TEXT NOT NULL CHECK (length(revision_sha256) = 64),
    accepted_at     TEXT NOT NULL,
    -- Address and browser, encrypted.
    origin          BLOB NOT NULL,
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
) STRICT;

CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

CREATE TRIGGER nda_acceptances_delete BEFORE DELETE ON nda_acceptances
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

CREATE TRIGGER nda_acceptances_replace BEFORE INSERT ON nda_acceptances
WHEN EXISTS (SELECT 1 FROM nda_acceptances WHERE recipient_id = NEW.recipient_id)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TABLE view_grants (
    -- Orders rows of the same microsecond.
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    share_id        TEXT NOT NULL,
    recipient_id    TEXT NOT NULL,
    -- The recipient again if the share gives each recipient one view; UNIQUE
    -- enforces that limit.
    only_grant_of   TEXT UNIQUE,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 TEXT NOT NULL CHECK (length(revision_sha256) = 64),
    granted_at      TEXT NOT NULL,
    ends_at         TEXT NOT NULL,
    CHECK (only_grant_of = recipient_id),
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
) STRICT;

CREATE INDEX view_grants_by_recipient ON view_grants (recipient_id, granted_at DESC, seq DESC);
