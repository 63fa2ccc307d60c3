-- The log of events that a stranger can check (docs/evidence.md). Rows are only added; an
-- event gets its place, and a checkpoint its signature, once.

-- A log continues the one before it, which had stopped. The last one is the current one.
CREATE TABLE evidence_logs (
    number     INTEGER PRIMARY KEY CHECK (number >= 1),
    origin     TEXT NOT NULL UNIQUE,
    started_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE evidence_log_keys (
    log       INTEGER NOT NULL REFERENCES evidence_logs (number),
    -- The key signs checkpoints that cover more events than this.
    from_size BIGINT NOT NULL CHECK (from_size >= 0),
    vkey      TEXT NOT NULL UNIQUE,
    -- Encrypted with the master key.
    seed      BYTEA NOT NULL,
    PRIMARY KEY (log, from_size)
);

CREATE TABLE evidence_events (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         TEXT NOT NULL,
    at           TIMESTAMPTZ NOT NULL,
    idea_id      BIGINT REFERENCES ideas (id),
    share_id     TEXT,
    recipient_id TEXT,
    comment_id   TEXT,
    -- At most one event has the same key.
    once         TEXT UNIQUE,
    -- Canonical JSON, and its SHA-256.
    body         TEXT NOT NULL,
    digest       BYTEA NOT NULL CHECK (length(digest) = 32),
    log          INTEGER REFERENCES evidence_logs (number),
    place        BIGINT CHECK (place >= 0),
    CHECK ((log IS NULL) = (place IS NULL)),
    UNIQUE (log, place)
);

CREATE INDEX evidence_events_of_idea ON evidence_events (idea_id, seq DESC);
CREATE INDEX evidence_events_unplaced ON evidence_events (seq) WHERE place IS NULL;
CREATE INDEX evidence_events_erased ON evidence_events (recipient_id)
WHERE kind = 'person.erased';

-- What an event commits to, encrypted with the evidence key of the idea. Deleted only when
-- the person that it names is erased.
CREATE TABLE evidence_disclosures (
    event BIGINT NOT NULL REFERENCES evidence_events (seq),
    name  TEXT NOT NULL,
    body  BYTEA NOT NULL,
    PRIMARY KEY (event, name)
);

-- Roots of complete subtrees, in the order in which they were completed.
CREATE TABLE evidence_nodes (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    position BIGINT NOT NULL CHECK (position >= 0),
    hash     BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (log, position)
);

CREATE TABLE evidence_checkpoints (
    log     INTEGER NOT NULL REFERENCES evidence_logs (number),
    size    BIGINT NOT NULL CHECK (size >= 1),
    root    BYTEA NOT NULL CHECK (length(root) = 32),
    made_at TIMESTAMPTZ NOT NULL,
    -- The signed note.
    note    TEXT,
    PRIMARY KEY (log, size)
);

CREATE INDEX evidence_checkpoints_signed ON evidence_checkpoints (log, size)
WHERE note IS NOT NULL;

CREATE TRIGGER evidence_logs_final BEFORE UPDATE OR DELETE ON evidence_logs
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_log_keys_delete BEFORE DELETE ON evidence_log_keys
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

-- A rotation of the master key encrypts the seed anew.
CREATE TRIGGER evidence_log_keys_update BEFORE UPDATE ON evidence_log_keys
FOR EACH ROW WHEN (
    (OLD.log, OLD.from_size, OLD.vkey) IS DISTINCT FROM (NEW.log, NEW.from_size, NEW.vkey)
) EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_events_delete BEFORE DELETE ON evidence_events
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
FOR EACH ROW WHEN (
    (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
     OLD.once, OLD.body, OLD.digest)
    IS DISTINCT FROM
    (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
     NEW.once, NEW.body, NEW.digest)
    OR NEW.place IS NULL
    OR NEW.log <= OLD.log
) EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_disclosures_update BEFORE UPDATE ON evidence_disclosures
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_nodes_final BEFORE UPDATE OR DELETE ON evidence_nodes
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_checkpoints_delete BEFORE DELETE ON evidence_checkpoints
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.root, OLD.made_at)
    IS DISTINCT FROM (NEW.log, NEW.size, NEW.root, NEW.made_at)
    OR OLD.note IS NOT NULL
) EXECUTE FUNCTION refuse('the log is final');

-- Only the data of a person whose erasure is on record may go.
CREATE FUNCTION refuse_disclosure_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
            AND erased.kind = 'person.erased'
        WHERE e.seq = OLD.event
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log is final' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
FOR EACH ROW EXECUTE FUNCTION refuse_disclosure_loss();

CREATE TRIGGER evidence_logs_truncate BEFORE TRUNCATE ON evidence_logs
EXECUTE FUNCTION refuse('the log is final');
CREATE TRIGGER evidence_log_keys_truncate BEFORE TRUNCATE ON evidence_log_keys
EXECUTE FUNCTION refuse('the log is final');
CREATE TRIGGER evidence_events_truncate BEFORE TRUNCATE ON evidence_events
EXECUTE FUNCTION refuse('the log is final');
CREATE TRIGGER evidence_disclosures_truncate BEFORE TRUNCATE ON evidence_disclosures
EXECUTE FUNCTION refuse('the log is final');
CREATE TRIGGER evidence_nodes_truncate BEFORE TRUNCATE ON evidence_nodes
EXECUTE FUNCTION refuse('the log is final');
CREATE TRIGGER evidence_checkpoints_truncate BEFORE TRUNCATE ON evidence_checkpoints
EXECUTE FUNCTION refuse('the log is final');
