-- Who asked to be let in. The first request of an address counts.
CREATE TABLE waitlist (
    -- Orders what happened within one microsecond.
    seq        BIGINT GENERATED ALWAYS AS IDENTITY,
    email      TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    name       TEXT NOT NULL CHECK (name <> ''),
    profession TEXT NOT NULL CHECK (profession <> ''),
    joined_at  TIMESTAMPTZ NOT NULL
);

-- Who may register while registration is by invitation.
CREATE TABLE invitations (
    email        TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    invited_at   TIMESTAMPTZ NOT NULL,
    -- When the mail was queued; none while a server still has to.
    announced_at TIMESTAMPTZ
);

CREATE INDEX invitations_to_announce ON invitations (invited_at) WHERE announced_at IS NULL;
