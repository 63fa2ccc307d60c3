DROP TABLE idea_files;
DROP TABLE files;
