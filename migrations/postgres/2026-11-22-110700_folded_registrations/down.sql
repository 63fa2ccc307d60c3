-- Lists the registrations that were only counted.
UPDATE recipients SET folding = 'open' WHERE folding = 'folded';

DROP TRIGGER activity_unfolded ON recipients;
DROP TRIGGER activity_registered ON recipients;
CREATE TRIGGER activity_registered AFTER INSERT ON recipients
FOR EACH ROW EXECUTE FUNCTION note_registered();

DROP INDEX recipients_by_share;
CREATE INDEX recipients_by_share ON recipients (share_id);
ALTER TABLE recipients DROP COLUMN folding;
