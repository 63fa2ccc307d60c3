-- How the activity shows a registration: 'open' is listed although no step followed yet,
-- 'folded' is only counted (a share lists a few open ones), 'advanced' has confirmed its
-- address, agreed or declined, and is always listed.
ALTER TABLE recipients ADD COLUMN folding TEXT NOT NULL DEFAULT 'open'
    CHECK (folding IN ('open', 'folded', 'advanced'));
UPDATE recipients r SET folding = 'advanced'
WHERE email_confirmed_at IS NOT NULL OR end_reason = 'declined'
    OR EXISTS (SELECT 1 FROM nda_acceptances a WHERE a.recipient_id = r.id);

DROP INDEX recipients_by_share;
CREATE INDEX recipients_by_share ON recipients (share_id, folding);

DROP TRIGGER activity_registered ON recipients;
CREATE TRIGGER activity_registered AFTER INSERT ON recipients
FOR EACH ROW WHEN (NEW.folding <> 'folded') EXECUTE FUNCTION note_registered();

CREATE TRIGGER activity_unfolded AFTER UPDATE OF folding ON recipients
FOR EACH ROW WHEN (OLD.folding = 'folded' AND NEW.folding <> 'folded')
EXECUTE FUNCTION note_registered();
