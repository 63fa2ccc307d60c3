ALTER TABLE second_factors DROP COLUMN locked_until;
ALTER TABLE second_factors DROP COLUMN wrong_codes;
DROP INDEX invitations_by_token;
ALTER TABLE invitations DROP COLUMN expires_at;
ALTER TABLE invitations DROP COLUMN token_hash;
DROP TABLE email_confirmations;
ALTER TABLE users DROP COLUMN disabled_at;
ALTER TABLE users DROP COLUMN registration_told_at;
ALTER TABLE users DROP COLUMN email_confirmed_at;
