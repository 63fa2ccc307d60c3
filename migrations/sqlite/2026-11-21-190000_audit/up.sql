-- Security events, for the operator. Ids and no names; no foreign keys, because an
-- entry outlives its subject.
CREATE TABLE audit_entries (
    -- Orders rows of the same microsecond.
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    at         TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind <> ''),
    account_id TEXT CHECK (length(account_id) = 36),
    subject    TEXT CHECK (subject <> ''),
    ip         TEXT,
    user_agent TEXT,
    -- Only denials have one; UNIQUE limits their number.
    slot       TEXT UNIQUE CHECK (length(slot) = 64)
) STRICT;

CREATE INDEX audit_entries_by_time ON audit_entries (at DESC, seq DESC);
CREATE INDEX audit_entries_denied ON audit_entries (at) WHERE slot IS NOT NULL;

CREATE TRIGGER audit_entries_update BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is final');
END;

CREATE TRIGGER audit_entries_delete BEFORE DELETE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is final');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE.
CREATE TRIGGER audit_entries_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq OR slot = NEW.slot)
BEGIN
    SELECT RAISE(IGNORE);
END;
