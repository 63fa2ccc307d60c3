-- The log of events that a stranger can check (docs/evidence.md). Rows are only added; an
-- event gets its place, and a checkpoint its signature, once.

-- A log continues the one before it, which had stopped. The last one is the current one.
CREATE TABLE evidence_logs (
    number     INTEGER PRIMARY KEY CHECK (number >= 1),
    origin     TEXT NOT NULL UNIQUE,
    started_at TEXT NOT NULL
) STRICT;

CREATE TABLE evidence_log_keys (
    log       INTEGER NOT NULL REFERENCES evidence_logs (number),
    -- The key signs checkpoints that cover more events than this.
    from_size INTEGER NOT NULL CHECK (from_size >= 0),
    vkey      TEXT NOT NULL UNIQUE,
    -- Encrypted with the master key.
    seed      BLOB NOT NULL,
    PRIMARY KEY (log, from_size)
) STRICT;

CREATE TABLE evidence_events (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind         TEXT NOT NULL,
    at           TEXT NOT NULL,
    idea_id      INTEGER REFERENCES ideas (id),
    share_id     TEXT,
    recipient_id TEXT,
    comment_id   TEXT,
    -- At most one event has the same key.
    once         TEXT UNIQUE,
    -- Canonical JSON, and its SHA-256.
    body         TEXT NOT NULL,
    digest       BLOB NOT NULL CHECK (length(digest) = 32),
    log          INTEGER REFERENCES evidence_logs (number),
    place        INTEGER CHECK (place >= 0),
    CHECK ((log IS NULL) = (place IS NULL)),
    UNIQUE (log, place)
) STRICT;

CREATE INDEX evidence_events_of_idea ON evidence_events (idea_id, seq DESC);
CREATE INDEX evidence_events_unplaced ON evidence_events (seq) WHERE place IS NULL;
CREATE INDEX evidence_events_erased ON evidence_events (recipient_id)
WHERE kind = 'person.erased';

-- What an event commits to, encrypted with the evidence key of the idea. Deleted only when
-- the person that it names is erased.
CREATE TABLE evidence_disclosures (
    event INTEGER NOT NULL REFERENCES evidence_events (seq),
    name  TEXT NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (event, name)
) STRICT;

-- Roots of complete subtrees, in the order in which they were completed.
CREATE TABLE evidence_nodes (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    position INTEGER NOT NULL CHECK (position >= 0),
    hash     BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (log, position)
) STRICT;

CREATE TABLE evidence_checkpoints (
    log     INTEGER NOT NULL REFERENCES evidence_logs (number),
    size    INTEGER NOT NULL CHECK (size >= 1),
    root    BLOB NOT NULL CHECK (length(root) = 32),
    made_at TEXT NOT NULL,
    -- The signed note.
    note    TEXT,
    PRIMARY KEY (log, size)
) STRICT;

CREATE INDEX evidence_checkpoints_signed ON evidence_checkpoints (log, size)
WHERE note IS NOT NULL;

CREATE TRIGGER evidence_logs_update BEFORE UPDATE ON evidence_logs
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_logs_delete BEFORE DELETE ON evidence_logs
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_log_keys_delete BEFORE DELETE ON evidence_log_keys
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- A rotation of the master key encrypts the seed anew.
CREATE TRIGGER evidence_log_keys_update BEFORE UPDATE ON evidence_log_keys
WHEN (OLD.log, OLD.from_size, OLD.vkey) IS NOT (NEW.log, NEW.from_size, NEW.vkey)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_events_delete BEFORE DELETE ON evidence_events
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
WHEN (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
      OLD.once, OLD.body, OLD.digest)
    IS NOT
     (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
      NEW.once, NEW.body, NEW.digest)
    OR NEW.place IS NULL
    OR NEW.log <= OLD.log
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_disclosures_update BEFORE UPDATE ON evidence_disclosures
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- Only the data of a person whose erasure is on record may go.
CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
WHEN NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
        AND erased.kind = 'person.erased'
    WHERE e.seq = OLD.event
)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_nodes_update BEFORE UPDATE ON evidence_nodes
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_nodes_delete BEFORE DELETE ON evidence_nodes
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_checkpoints_delete BEFORE DELETE ON evidence_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
WHEN (OLD.log, OLD.size, OLD.root, OLD.made_at)
    IS NOT (NEW.log, NEW.size, NEW.root, NEW.made_at)
    OR OLD.note IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE.
CREATE TRIGGER evidence_logs_replace BEFORE INSERT ON evidence_logs
WHEN EXISTS (SELECT 1 FROM evidence_logs WHERE number = NEW.number OR origin = NEW.origin)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER evidence_events_replace BEFORE INSERT ON evidence_events
WHEN EXISTS (SELECT 1 FROM evidence_events WHERE seq = NEW.seq OR once = NEW.once)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER evidence_disclosures_replace BEFORE INSERT ON evidence_disclosures
WHEN EXISTS (SELECT 1 FROM evidence_disclosures WHERE event = NEW.event AND name = NEW.name)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_nodes_replace BEFORE INSERT ON evidence_nodes
WHEN EXISTS (SELECT 1 FROM evidence_nodes WHERE log = NEW.log AND position = NEW.position)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_checkpoints_replace BEFORE INSERT ON evidence_checkpoints
WHEN EXISTS (SELECT 1 FROM evidence_checkpoints WHERE log = NEW.log AND size = NEW.size)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;
