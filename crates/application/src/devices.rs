//! The browsers that an account has signed in with, identified by a key in a cookie.

use ideavault_domain::Timestamp;
use ideavault_domain::account::{SessionEpoch, User};
use ideavault_domain::device::KnownDevice;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, PortError, Random, Transaction};
use ideavault_domain::token::Token;

use crate::random;

/// The result of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The signed-in account.
    pub user: User,
    /// The session epoch in which its session may begin.
    pub epoch: SessionEpoch,
    /// The browser's new device key, for its cookie.
    pub device: Token,
}

/// Creates a new device key.
///
/// # Errors
/// When randomness fails.
pub(crate) fn new_key(random: &dyn Random) -> Result<Token, PortError> {
    random::bytes(random).map(Token::from_random)
}

/// Records a login of `user` at `now` and replaces the key that the browser brought
/// by the `renewed` one; returns whether the browser was known. The old key may have
/// been planted by somebody who kept a copy, so it does not outlive a login; every
/// account that knows it gets the new one instead.
pub(crate) fn record(
    tx: &mut dyn Transaction,
    user: UserId,
    brought: Option<&Token>,
    renewed: &Token,
    now: Timestamp,
) -> Result<bool, DatabaseError> {
    if let Some(brought) = brought {
        tx.known_devices()
            .renew_device_key(&brought.hash(), &renewed.hash())?;
    }
    tx.known_devices().record_device(&KnownDevice {
        user,
        key_hash: renewed.hash(),
        last_seen_at: now,
    })
}
