DROP TABLE comments;
DROP FUNCTION refuse_comment_on_deleted;
