DROP TABLE invitations;
DROP TABLE waitlist;
