//! Tests use cases on a real database: a file of SQLite for each test, copied from a template.
//! Only what lies beyond the vault is made up: mails, files, clocks and services of others.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has failed"
)]

mod accounts;
mod anchoring;
mod audit;
mod cleanup;
mod comments;
mod confirmations;
mod documents;
mod ended_sessions;
mod erasure;
mod files;
mod ideas;
mod invitations;
mod jobs;
mod leaving;
mod logins;
mod my_documents;
mod notice_mails;
mod outbox;
mod passwords;
mod rotation;
mod sessions;
mod share_access;
mod shares;
mod storage;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "the contract tests need more of it"
)]
#[path = "../../../db/tests/contract/support.rs"]
mod support;
mod two_factors;
mod uploads;
mod vault;
mod verification;
