-- Security events, for the operator. Ids and no names; no foreign keys, because an
-- entry outlives its subject.
CREATE TABLE audit_entries (
    -- Orders rows of the same microsecond.
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         TIMESTAMPTZ NOT NULL,
    kind       TEXT NOT NULL CHECK (kind <> ''),
    account_id TEXT CHECK (length(account_id) = 36),
    subject    TEXT CHECK (subject <> ''),
    ip         TEXT,
    user_agent TEXT,
    -- Only denials have one; UNIQUE limits their number.
    slot       TEXT UNIQUE CHECK (length(slot) = 64)
);

CREATE INDEX audit_entries_by_time ON audit_entries (at DESC, seq DESC);
CREATE INDEX audit_entries_denied ON audit_entries (at) WHERE slot IS NOT NULL;

CREATE TRIGGER audit_entries_update BEFORE UPDATE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is final');

CREATE TRIGGER audit_entries_delete BEFORE DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is final');

CREATE TRIGGER audit_entries_truncate BEFORE TRUNCATE ON audit_entries
EXECUTE FUNCTION refuse('the audit trail is final');
