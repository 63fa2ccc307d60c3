DROP TRIGGER activity_closed ON recipients;
DROP TRIGGER activity_viewed ON view_grants;
DROP TRIGGER activity_agreed ON nda_acceptances;
DROP TRIGGER activity_registered ON recipients;
DROP FUNCTION note_closed;
DROP FUNCTION note_viewed;
DROP FUNCTION note_agreed;
DROP FUNCTION note_registered;
DROP TABLE activity_entries;
