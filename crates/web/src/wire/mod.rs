//! The JSON that travels: camelCase, nullable fields always present
//! (design section 4). One file per area, named like the routes.

pub mod accounts;
pub mod activity;
pub mod assistance;
pub mod comments;
pub mod content;
pub mod exports;
pub mod files;
pub mod ideas;
pub mod notifications;
pub mod recipients;
pub mod sessions;
pub mod share_access;
pub mod shares;
pub mod totp;
pub mod waitlist;

use chrono::SecondsFormat;
use ideavault_domain::Timestamp;

/// RFC 3339, UTC, microseconds.
pub fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}
