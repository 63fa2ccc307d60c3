DROP TRIGGER activity_closed;
DROP TRIGGER activity_viewed;
DROP TRIGGER activity_agreed;
DROP TRIGGER activity_registered;
DROP TABLE activity_entries;
