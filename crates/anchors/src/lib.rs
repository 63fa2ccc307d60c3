//! Confirmations of time by outsiders: time-stamping authorities (RFC 3161), calendars of
//! OpenTimestamps, which lead to a block of Bitcoin, and witnesses of the log (C2SP). Whether
//! there is such a block, a node says.
//!
//! Invariant: only addresses of the configuration are contacted, nothing that an outsider sends
//! is trusted before it was verified, and everything read from outside has a limit.

pub mod adapters;
pub mod authority;
pub mod bitcoin;
pub mod calendar;
pub mod http;
pub mod node;
pub mod recommended;
pub mod rfc3161;
pub mod witness;
