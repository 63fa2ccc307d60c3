//! Mail behind the domain's ports. Its first port comes with the password
//! reset and the invitations; until then this room is empty.
