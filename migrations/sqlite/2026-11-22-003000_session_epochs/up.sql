-- How often all sessions of the account were ended: none begins on what was found
-- right before.
ALTER TABLE users ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0;
