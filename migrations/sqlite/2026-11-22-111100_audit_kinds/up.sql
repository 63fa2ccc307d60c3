-- Finds the last backup and the emails that failed permanently, for the status report.
CREATE INDEX audit_entries_by_kind ON audit_entries (kind, at DESC);
