//! Use cases: one struct per area, one public method per user action.
//!
//! Invariant: every method checks by itself that its caller is entitled, and
//! nothing slow (hashing, a network) happens while a store session is open.

pub mod accounts;
pub mod actor;
pub mod administration;
pub mod assistance;
pub mod audit;
pub mod authenticator;
pub mod comments;
pub mod confirmations;
pub mod deliveries;
pub mod devices;
pub mod evidence;
pub mod files;
mod gate;
pub mod ideas;
pub mod invitations;
pub mod letters;
pub mod logins;
pub mod notifications;
pub mod passwords;
pub mod postbox;
mod random;
pub mod rotation;
pub mod second_factors;
pub mod sessions;
pub mod shares;
pub mod status;
pub mod storage;
pub mod sweeping;
pub mod timekeeping;
pub mod uploads;
pub mod verification;
pub mod visits;
pub mod waitlist;

#[cfg(test)]
mod testing;
