//! The browsers that an account was used with, known by a key in a cookie.

use ideavault_domain::Timestamp;
use ideavault_domain::account::{SessionEpoch, User};
use ideavault_domain::device::KnownDevice;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, PortError, Random, Transaction};
use ideavault_domain::token::Token;

use crate::random;

/// Who came, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// Whose account it is.
    pub user: User,
    /// In which a session of it may begin.
    pub epoch: SessionEpoch,
    /// The key that the browser is known by from now on, for its cookie.
    pub device: Token,
}

/// A key that no browser has.
///
/// # Errors
/// When randomness fails.
pub(crate) fn new_key(random: &dyn Random) -> Result<Token, PortError> {
    random::bytes(random).map(Token::from_random)
}

/// Notes that `user` is seen `now` on the browser that brought a key and has the
/// `renewed` one from now on; answers whether it was known. The one that it brought
/// may have been planted there by somebody who kept a copy, so it does not outlast
/// a login; whichever accounts know it know the new one instead.
///
/// # Errors
/// [`DatabaseError`].
pub(crate) fn note(
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
    tx.known_devices().note_device(&KnownDevice {
        user,
        key_hash: renewed.hash(),
        last_seen_at: now,
    })
}
