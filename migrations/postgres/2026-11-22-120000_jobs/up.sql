-- Scheduled jobs, which all servers of a vault share: when each is due. While a job runs,
-- due_at is the end of its lease, and run_id names the run that holds it.
CREATE TABLE jobs (
    name            TEXT NOT NULL PRIMARY KEY,
    due_at          TIMESTAMPTZ NOT NULL,
    run_id          TEXT,
    last_success_at TIMESTAMPTZ,
    failures        INTEGER NOT NULL CHECK (failures >= 0)
);
