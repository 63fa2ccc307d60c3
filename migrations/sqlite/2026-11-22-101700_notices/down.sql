DROP TABLE muted_recipients;
DROP TABLE unsubscribe_tokens;
DROP INDEX shares_by_end;
DROP TABLE notices;
DROP TABLE share_notification_modes;
ALTER TABLE users DROP COLUMN notification_mode;
