-- The first session of the same browser, also across keys that were replaced. The default,
-- which SQLite demands, is no browser's.
ALTER TABLE viewer_sessions ADD COLUMN browser_id TEXT NOT NULL
    DEFAULT '00000000-0000-0000-0000-000000000000' CHECK (length(browser_id) = 36);
UPDATE viewer_sessions SET browser_id = COALESCE(replaces, id);
