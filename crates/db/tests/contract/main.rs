//! Tests the contracts of the ports on both databases with the same test functions.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has failed"
)]

mod account_changes;
mod activity;
mod administration;
mod admission;
mod anchors;
mod at_once;
mod audit;
mod claims;
mod codes;
mod comments;
mod conflicts;
mod copy;
mod data_version;
mod document_links;
mod email_confirmations;
mod erasures;
mod evidence;
mod files;
mod gate_query;
mod ideas;
mod identity;
mod jobs;
mod known_devices;
mod migrations;
mod notices;
mod organization;
mod outbox;
mod pages;
mod pooler;
mod postgres;
mod public_records;
mod publishing;
mod readers;
mod recipients;
mod rotation;
mod rotation_races;
mod seals;
mod secrecy;
mod shares;
mod sqlite;
mod storage_use;
mod support;
mod thinning;
mod timekeeping;
mod transactions;
mod two_factors;
mod user_sessions;
mod users;
mod working_copies;
