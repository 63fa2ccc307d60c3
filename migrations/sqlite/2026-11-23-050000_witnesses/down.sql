CREATE TABLE evidence_anchors_new (
    log             INTEGER NOT NULL,
    size            INTEGER NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('tsa', 'ots')),
    -- Host of the service.
    name            TEXT NOT NULL CHECK (name <> ''),
    state           TEXT NOT NULL
        CHECK (state IN ('queued', 'submitted', 'pending', 'confirmed', 'refused')),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    asked_at        TEXT,
    next_attempt_at TEXT,
    error           TEXT,
    -- The response of an authority, or the timestamp of a calendar.
    artefact        BLOB,
    -- The certificates of an authority, in PEM.
    chain           TEXT,
    time            TEXT,
    block           INTEGER CHECK (block >= 0),
    PRIMARY KEY (log, size, kind, name),
    FOREIGN KEY (log, size) REFERENCES evidence_checkpoints (log, size),
    CHECK (next_attempt_at IS NOT NULL OR state = 'confirmed' OR block IS NOT NULL),
    CHECK (next_attempt_at IS NULL OR state <> 'confirmed'),
    CHECK ((artefact IS NOT NULL) = (state IN ('pending', 'confirmed'))),
    -- Of a calendar: that of the block, whose header was checked.
    CHECK ((time IS NOT NULL) = (state = 'confirmed')),
    CHECK ((chain IS NOT NULL) = (state = 'confirmed' AND kind = 'tsa')),
    -- While it is pending, the calendar alone says so.
    CHECK (block IS NULL OR (kind = 'ots' AND state IN ('pending', 'confirmed'))),
    CHECK (block IS NOT NULL OR NOT (kind = 'ots' AND state = 'confirmed')),
    CHECK (state <> 'pending' OR kind = 'ots')
) STRICT;

INSERT INTO evidence_anchors_new
SELECT
    log, size, kind, name, state, attempts, asked_at, next_attempt_at, error, artefact, chain,
    time, block
FROM evidence_anchors
WHERE kind <> 'witness';
DROP TABLE evidence_anchors;
ALTER TABLE evidence_anchors_new RENAME TO evidence_anchors;

-- A service is sent one checkpoint after the other.
CREATE UNIQUE INDEX evidence_anchors_open ON evidence_anchors (kind, name)
WHERE state NOT IN ('pending', 'confirmed');
CREATE INDEX evidence_anchors_newest ON evidence_anchors (kind, name, log DESC, size DESC);
CREATE INDEX evidence_anchors_due ON evidence_anchors (kind, name, next_attempt_at)
WHERE next_attempt_at IS NOT NULL;
CREATE INDEX evidence_anchors_covering ON evidence_anchors (log, kind, state, size);

CREATE INDEX evidence_anchors_unchecked ON evidence_anchors (kind, name)
WHERE state = 'pending' AND next_attempt_at IS NULL;

CREATE TRIGGER evidence_anchors_delete BEFORE DELETE ON evidence_anchors
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
WHEN (OLD.log, OLD.size, OLD.kind, OLD.name) IS NOT (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed'
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE.
CREATE TRIGGER evidence_anchors_replace BEFORE INSERT ON evidence_anchors
WHEN EXISTS (
    SELECT 1 FROM evidence_anchors
    WHERE kind = NEW.kind AND name = NEW.name
        AND ((log = NEW.log AND size = NEW.size) OR state NOT IN ('pending', 'confirmed'))
)
BEGIN
    SELECT RAISE(IGNORE);
END;
