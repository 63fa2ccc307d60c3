-- Whether readers of this share and of the idea's other shares with this setting see
-- each other's names and comments.
ALTER TABLE shares ADD COLUMN shows_other_readers INTEGER NOT NULL DEFAULT 0
    CHECK (shows_other_readers IN (0, 1));
