//! JSON of requests and responses, one file for each area, named like the routes.
//!
//! Invariant: names are camelCase, and nullable fields of responses are always present.

pub mod accounts;
pub mod activity;
pub mod assistance;
pub mod comments;
pub mod content;
pub mod documents;
pub mod evidence;
pub mod exports;
pub mod files;
pub mod ideas;
pub mod my_documents;
pub mod notifications;
pub mod readers;
pub mod recipients;
pub mod reports;
pub mod sessions;
pub mod share_access;
pub mod share_type;
pub mod shares;
pub mod two_factors;
pub mod waitlist;

use chrono::SecondsFormat;
use ideavault_domain::Timestamp;

/// Formats a time: RFC 3339, UTC, microseconds.
pub fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}
