DROP TABLE newest_time;
