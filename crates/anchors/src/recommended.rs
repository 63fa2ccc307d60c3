//! Public services that an operator can set by one word (docs/operations.md#external-timestamps).
//!
//! Invariant: the root of each authority is one that operating systems bring, so that whoever
//! checks evidence does not have to take it from the vault.

/// Time-stamping authorities.
pub const AUTHORITIES: [&str; 2] = [
    // Offers no https; what it sends is signed.
    "http://timestamp.digicert.com",
    "https://timestamp.sectigo.com",
];

/// The root certificates of these authorities, in PEM.
pub const ROOTS: &str = include_str!("recommended/roots.pem");

/// Calendars of OpenTimestamps: two of its project, one of another operator.
pub const CALENDARS: [&str; 3] = [
    "https://alice.btc.calendar.opentimestamps.org",
    "https://bob.btc.calendar.opentimestamps.org",
    "https://finney.calendar.eternitywall.com",
];
