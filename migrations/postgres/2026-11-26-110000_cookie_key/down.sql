DROP TABLE cookie_key;
