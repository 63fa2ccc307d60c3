//! The browsers that an account was used with, known by a key in a cookie.

use ideavault_domain::Timestamp;
use ideavault_domain::account::{SessionEpoch, User};
use ideavault_domain::device::KnownDevice;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{PortError, Random};
use ideavault_domain::token::Token;

use crate::random;

/// Who came, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Whose account it is.
    pub user: User,
    /// In which a session of it may begin.
    pub epoch: SessionEpoch,
    /// The key that the browser is known by from now on, for its cookie.
    pub device: Token,
}

/// The key of the browser that asks: what it has `kept`, or else a new one.
pub(crate) fn key(random: &dyn Random, kept: Option<Token>) -> Result<Token, PortError> {
    match kept {
        Some(kept) => Ok(kept),
        None => random::bytes(random).map(Token::from_random),
    }
}

/// The device with that key, on which `user` is seen `now`.
pub(crate) fn seen(user: UserId, key: &Token, now: Timestamp) -> KnownDevice {
    KnownDevice {
        user,
        key_hash: key.hash(),
        last_seen_at: now,
    }
}
