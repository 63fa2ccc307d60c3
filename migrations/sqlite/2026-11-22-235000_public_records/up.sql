-- Published ideas that anybody may look up by their document id: digest and times, and
-- neither title nor content.
CREATE TABLE public_records (
    idea_id INTEGER NOT NULL PRIMARY KEY REFERENCES ideas (id),
    since   TEXT NOT NULL
) STRICT;
