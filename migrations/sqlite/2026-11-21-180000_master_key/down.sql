DROP TABLE master_key;
