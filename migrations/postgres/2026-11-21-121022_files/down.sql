DROP TABLE file_keys;
DROP TABLE idea_files;
DROP TABLE files;
DROP FUNCTION refuse_files_of_published;
