DROP TABLE storage_identity;
