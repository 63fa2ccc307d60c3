-- The number of times that all sessions of the account were ended: a login that was
-- checked before an end begins no session after it.
ALTER TABLE users ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0;
