-- The first session of the same browser, also across keys that were replaced.
ALTER TABLE viewer_sessions ADD COLUMN browser_id TEXT CHECK (length(browser_id) = 36);
UPDATE viewer_sessions SET browser_id = COALESCE(replaces, id);
ALTER TABLE viewer_sessions ALTER COLUMN browser_id SET NOT NULL;
