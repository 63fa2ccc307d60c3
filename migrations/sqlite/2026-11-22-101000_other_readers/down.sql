ALTER TABLE shares DROP COLUMN shows_other_readers;
