//! What IdeaVault is about, free of any input or output: entities, value
//! types that parse, the state machines of an idea and of a visit to a share,
//! and the traits (ports) through which use cases reach the world.
//!
//! Invariant: nothing here opens a file, a socket or a database, reads the
//! clock, or draws randomness; all of that arrives through [`ports`].

pub mod account;
pub mod activity;
pub mod admission;
pub mod audit;
pub mod browser;
pub mod canvas;
pub mod code;
pub mod comment;
pub mod content;
pub mod device;
pub mod digest;
pub mod email;
pub mod failure;
pub mod file;
pub mod file_name;
pub mod gate;
pub mod idea;
pub mod ids;
pub mod keys;
pub mod language;
pub mod legacy;
pub mod mail;
pub mod nda;
mod nesting;
pub mod notice;
pub mod operator;
pub mod page;
pub mod ports;
pub mod quota;
pub mod recipient;
pub mod share;
pub mod text;
pub mod thinning;
pub mod token;
pub mod two_factor;

/// A point in time: UTC, microsecond precision, always from [`ports::Clock`].
pub type Timestamp = chrono::DateTime<chrono::Utc>;
