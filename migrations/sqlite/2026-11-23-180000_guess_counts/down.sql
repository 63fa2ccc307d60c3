DROP TABLE guess_counts;
