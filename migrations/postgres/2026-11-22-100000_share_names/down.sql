DROP INDEX view_grants_by_share;
ALTER TABLE shares DROP COLUMN name;
