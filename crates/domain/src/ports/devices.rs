//! Browsers that accounts were used with.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::device::KnownDevice;
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Known devices, at most [`DEVICES_MAX`](crate::device::DEVICES_MAX) of an account.
pub trait KnownDevices {
    /// Notes that an account is used with a device, and answers whether it was
    /// within [`DEVICE_LIFETIME`](crate::device::DEVICE_LIFETIME). Where one is
    /// too many, the one that was not seen for longest is forgotten.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn note_device(&mut self, device: &KnownDevice) -> Result<bool>;

    /// Gives a device another key, for every account that knows it. One that none
    /// knows is fine.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn renew_device_key(&mut self, former: &TokenHash, renewed: &TokenHash) -> Result<()>;

    /// Forgets the devices of an account, all but the one with the key `but`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn forget_devices(&mut self, user: UserId, but: Option<&TokenHash>) -> Result<()>;

    /// Forgets what was last seen before `unseen_since`, and answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_devices(&mut self, unseen_since: Timestamp) -> Result<usize>;
}
