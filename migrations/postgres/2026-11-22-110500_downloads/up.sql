-- Whether the readers of a share may download the document.
ALTER TABLE shares ADD COLUMN allow_download BOOLEAN NOT NULL DEFAULT TRUE;

-- The steps are the former ones, and 5 downloaded.
ALTER TABLE activity_entries DROP CONSTRAINT activity_entries_step_check;
ALTER TABLE activity_entries ADD CONSTRAINT activity_entries_step_check
    CHECK (step BETWEEN 0 AND 5);
