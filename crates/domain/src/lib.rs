//! The domain model of IdeaVault: entities, validated value types, the state machines
//! of ideas and of share access, and the ports (traits) through which use cases reach
//! the outside world.
//!
//! Invariant: no I/O, clock or randomness in this crate; all of that comes through
//! [`ports`].

pub mod account;
pub mod activity;
pub mod admission;
pub mod audit;
pub mod browser;
pub mod canvas;
pub mod characters;
pub mod client_network;
pub mod code;
pub mod comment;
pub mod content;
pub mod device;
pub mod digest;
pub mod document;
pub mod document_link;
pub mod email;
pub mod evidence;
pub mod failure;
pub mod file;
pub mod file_name;
pub mod gate;
pub mod hex;
pub mod idea;
pub mod idempotency;
pub mod ids;
pub mod job;
pub mod keys;
pub mod language;
pub mod legacy;
pub mod mail;
pub mod media_type;
pub mod nda;
pub mod nesting;
pub mod notice;
pub mod operator;
pub mod organization;
pub mod page;
pub mod ports;
pub mod quota;
pub mod rate_limit;
pub mod reader;
pub mod recipient;
pub mod report;
pub mod share;
pub mod text;
pub mod thinning;
pub mod token;
pub mod two_factor;
pub mod visit;
pub mod working_copy;

/// A point in time: UTC, microsecond precision, always from [`ports::Clock`].
pub type Timestamp = chrono::DateTime<chrono::Utc>;
