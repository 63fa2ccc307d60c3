-- The waitlist. The first request of an address counts.
CREATE TABLE waitlist (
    -- Orders rows of the same microsecond.
    seq        BIGINT GENERATED ALWAYS AS IDENTITY,
    email      TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    name       TEXT NOT NULL CHECK (name <> ''),
    profession TEXT NOT NULL CHECK (profession <> ''),
    joined_at  TIMESTAMPTZ NOT NULL
);

-- Addresses that may register while registration is by invitation.
CREATE TABLE invitations (
    email        TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    invited_at   TIMESTAMPTZ NOT NULL,
    -- When the email was queued; null until then.
    announced_at TIMESTAMPTZ
);

CREATE INDEX invitations_to_announce ON invitations (invited_at) WHERE announced_at IS NULL;
