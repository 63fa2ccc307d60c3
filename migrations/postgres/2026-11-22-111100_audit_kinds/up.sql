-- The last backup and the mails that were given up are looked up whenever somebody
-- asks how the vault is.
CREATE INDEX audit_entries_by_kind ON audit_entries (kind, at DESC);
