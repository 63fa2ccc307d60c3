DROP TABLE idea_revisions;
DROP TABLE ideas;
