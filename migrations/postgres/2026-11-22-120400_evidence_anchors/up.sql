-- Confirmations of signed checkpoints by outsiders (docs/rules.md#anchors).
CREATE TABLE evidence_anchors (
    log             INTEGER NOT NULL,
    size            BIGINT NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('tsa', 'ots')),
    -- Host of the service.
    name            TEXT NOT NULL CHECK (name <> ''),
    state           TEXT NOT NULL
        CHECK (state IN ('queued', 'submitted', 'pending', 'confirmed', 'refused')),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    asked_at        TIMESTAMPTZ,
    next_attempt_at TIMESTAMPTZ,
    error           TEXT,
    -- The response of an authority, or the timestamp of a calendar.
    artefact        BYTEA,
    -- The certificates of an authority, in PEM.
    chain           TEXT,
    time            TIMESTAMPTZ,
    block           BIGINT CHECK (block >= 0),
    PRIMARY KEY (log, size, kind, name),
    FOREIGN KEY (log, size) REFERENCES evidence_checkpoints (log, size),
    CHECK ((next_attempt_at IS NULL) = (state = 'confirmed')),
    CHECK ((artefact IS NOT NULL) = (state IN ('pending', 'confirmed'))),
    CHECK ((time IS NOT NULL) = (state = 'confirmed' AND kind = 'tsa')),
    CHECK ((chain IS NOT NULL) = (state = 'confirmed' AND kind = 'tsa')),
    CHECK ((block IS NOT NULL) = (state = 'confirmed' AND kind = 'ots')),
    CHECK (state <> 'pending' OR kind = 'ots')
);

-- A service is sent one checkpoint after the other.
CREATE UNIQUE INDEX evidence_anchors_open ON evidence_anchors (kind, name)
WHERE state NOT IN ('pending', 'confirmed');
CREATE INDEX evidence_anchors_newest ON evidence_anchors (kind, name, log DESC, size DESC);
CREATE INDEX evidence_anchors_due ON evidence_anchors (kind, name, next_attempt_at)
WHERE next_attempt_at IS NOT NULL;
CREATE INDEX evidence_anchors_covering ON evidence_anchors (log, kind, state, size);

CREATE TRIGGER evidence_anchors_delete BEFORE DELETE ON evidence_anchors
FOR EACH ROW EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.kind, OLD.name) IS DISTINCT FROM (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed'
) EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER evidence_anchors_truncate BEFORE TRUNCATE ON evidence_anchors
EXECUTE FUNCTION refuse('a confirmation is final');
