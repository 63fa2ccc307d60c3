DROP TABLE idea_keys;
DROP TABLE idea_revisions;
DROP TABLE ideas;
