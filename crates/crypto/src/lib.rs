//! Cryptography behind the domain's ports: password hashing, encryption, hashes of
//! one-time codes, TOTP, randomness, and the keys derived from the master key.
//!
//! Invariant: every algorithm comes from a reviewed library; this crate only
//! chooses parameters and associated data. See `docs/security.md`.

mod codes;
mod keyed_hash;
mod keys;
mod limit_keys;
mod passwords;
mod random;
mod requests;
mod ring;
mod seal;
mod totp;

pub use codes::KeyedCodes;
pub use keyed_hash::KeyedHash;
pub use keys::{KeyError, MasterKey, derive_cookie_key};
pub use limit_keys::KeyedLimits;
pub use passwords::{Argon2Passwords, HashingCost};
pub use random::SystemRandom;
pub use requests::KeyedRequests;
pub use ring::{CacheUse, KeyRing};
pub use totp::HmacTotp;

use ideavault_domain::ports::PortError;

fn port_error(
    operation: &'static str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> PortError {
    PortError {
        operation,
        source: source.into(),
    }
}
