DROP TABLE outbox_mails;
