//! Use cases: one struct per area, one public method per user action.
//!
//! Invariant: every method authorizes its caller itself, and nothing slow (hashing,
//! network) runs while a transaction is open.

pub mod account_export;
pub mod accounts;
pub mod actor;
pub mod administration;
pub mod anchoring;
pub mod assistance;
pub mod audit;
pub mod cleanup;
pub mod comments;
pub mod confirmations;
pub mod deps;
pub mod devices;
pub mod documents;
pub mod email_composer;
pub mod emails;
pub mod erasure;
pub mod event_log;
pub mod evidence;
pub mod files;
pub mod ideas;
pub mod invitations;
pub mod jobs;
pub mod leaving;
mod log_tree;
pub mod logins;
pub mod my_documents;
pub mod notifications;
pub mod outbox_worker;
pub mod passwords;
mod random;
pub mod rate_limits;
pub mod readers;
mod recording;
pub mod rotation;
pub mod sessions;
pub mod share_access;
pub mod shares;
pub mod status;
pub mod storage;
pub mod timekeeping;
pub mod two_factors;
pub mod uploads;
pub mod verification;
mod viewers;
mod views;
pub mod waitlist;

#[cfg(test)]
mod testing;
