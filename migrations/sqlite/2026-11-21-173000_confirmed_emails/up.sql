-- When the recipient entered a code that was sent to the address; null while the address
-- is unconfirmed.
ALTER TABLE recipients ADD COLUMN email_confirmed_at TEXT;

-- The same, at the time of the agreement.
ALTER TABLE nda_acceptances ADD COLUMN email_confirmed_at TEXT;

-- The newest code of each recipient; a new one replaces it, and entering it correctly
-- removes it. The hash is keyed, since a plain hash of six digits is easily reversed.
CREATE TABLE email_codes (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id),
    code_hash    BLOB NOT NULL CHECK (length(code_hash) = 32),
    tries        INTEGER NOT NULL CHECK (tries BETWEEN 0 AND 5),
    sent_at      TEXT NOT NULL,
    expires_at   TEXT NOT NULL
) STRICT;

CREATE TRIGGER recipients_confirm BEFORE UPDATE OF email_confirmed_at ON recipients
WHEN OLD.email_confirmed_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;
