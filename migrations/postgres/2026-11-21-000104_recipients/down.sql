DROP TABLE view_grants;
DROP TABLE nda_acceptances;
DROP TABLE recipients;
DROP TABLE viewer_sessions;
