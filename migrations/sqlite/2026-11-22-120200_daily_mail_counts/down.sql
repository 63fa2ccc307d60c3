DROP TABLE daily_mail_counts;
