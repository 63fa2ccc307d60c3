//! File storage behind the domain's ports. Its first port comes with PDF and
//! image uploads; until then this room is empty.
