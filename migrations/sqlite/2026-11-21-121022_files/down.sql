DROP TABLE file_keys;
DROP TABLE idea_files;
DROP TABLE files;
