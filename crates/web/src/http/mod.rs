//! HTTP concerns that all routes share.

pub mod archives;
pub mod body;
pub mod body_deadline;
mod cache;
pub mod cacheable;
mod cached_reads;
mod caches;
pub mod callers;
pub mod client;
pub mod compression;
pub mod connection;
pub mod cookies;
pub mod database_handle;
pub mod download;
pub mod error;
pub mod executor;
pub mod failed_logins;
pub mod headers;
pub mod idempotency;
pub mod identity;
pub mod links;
pub mod logging;
pub mod origin;
pub mod paging;
pub mod params;
pub mod ranges;
pub mod rates;
pub mod refusals;
mod request_caller;
pub mod request_state;
pub mod response_cache;
pub mod sessions;
pub mod spliced;
mod stalls;
#[cfg(test)]
mod testing;
pub mod turns;
pub mod under_way;
pub mod upload;
pub mod use_cases;

use std::time::Duration;

/// Time that a request waits for the database, including its turn there. Longer than the
/// database's own timeouts, whose errors say more.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
