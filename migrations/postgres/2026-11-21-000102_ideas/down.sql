DROP TABLE idea_keys;
DROP TABLE idea_revisions;
DROP TABLE ideas;
DROP FUNCTION refuse_to_erase_published;
DROP FUNCTION refuse_revision_of_published;
DROP FUNCTION refuse;
