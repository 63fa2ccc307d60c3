ALTER TABLE viewer_sessions DROP COLUMN browser_id;
