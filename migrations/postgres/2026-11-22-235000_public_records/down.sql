DROP TABLE public_records;
