-- When a code that was mailed to the recipient's address came back; null as
-- long as the address is only what somebody typed.
ALTER TABLE recipients ADD COLUMN email_confirmed_at TEXT;

-- The same, as it was when the recipient agreed.
ALTER TABLE nda_acceptances ADD COLUMN email_confirmed_at TEXT;

-- The newest code of each recipient; asking again replaces it, and entering it
-- rightly removes it. The hash is keyed: six digits alone are soon guessed.
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
