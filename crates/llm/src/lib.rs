//! The language model behind the domain's ports. Its first port comes with the
//! idea search and the writing assistant; until then this room is empty.
