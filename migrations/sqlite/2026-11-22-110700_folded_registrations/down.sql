-- Lists the registrations that were only counted.
UPDATE recipients SET folding = 'open' WHERE folding = 'folded';

DROP TRIGGER activity_unfolded;
DROP TRIGGER activity_registered;
CREATE TRIGGER activity_registered AFTER INSERT ON recipients
BEGIN
    INSERT INTO activity_entries
    SELECT idea_id, NEW.created_at, 0, NEW.seq, NEW.id, NULL
    FROM shares WHERE id = NEW.share_id;
END;

DROP INDEX recipients_by_share;
CREATE INDEX recipients_by_share ON recipients (share_id);
ALTER TABLE recipients DROP COLUMN folding;
