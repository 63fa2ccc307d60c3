-- Steps that the former schema does not know cannot be listed.
ALTER TABLE activity_entries DISABLE TRIGGER USER;
DELETE FROM activity_entries WHERE step > 3;
ALTER TABLE activity_entries ENABLE TRIGGER USER;
ALTER TABLE activity_entries DROP CONSTRAINT activity_entries_step_check;
ALTER TABLE activity_entries ADD CONSTRAINT activity_entries_step_check
    CHECK (step BETWEEN 0 AND 3);
ALTER TABLE shares DROP COLUMN allow_download;
