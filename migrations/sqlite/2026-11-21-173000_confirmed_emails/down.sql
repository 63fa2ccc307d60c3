DROP TRIGGER recipients_confirm;
DROP TABLE email_codes;
ALTER TABLE nda_acceptances DROP COLUMN email_confirmed_at;
ALTER TABLE recipients DROP COLUMN email_confirmed_at;
