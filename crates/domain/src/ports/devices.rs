//! Browsers that accounts have signed in with before.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::device::KnownDevice;
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Known devices, at most [`DEVICES_MAX`](crate::device::DEVICES_MAX) per account.
pub trait KnownDevices {
    /// Records a login from a device and returns whether the account used it within
    /// [`DEVICE_LIFETIME`](crate::device::DEVICE_LIFETIME). Beyond the limit, the
    /// least recently used device is deleted.
    fn record_device(&mut self, device: &KnownDevice) -> Result<bool>;

    /// Replaces a device's key for every account that knows it. An unknown key is not
    /// an error.
    fn renew_device_key(&mut self, former: &TokenHash, renewed: &TokenHash) -> Result<()>;

    /// Deletes the account's devices, except the one with the key `but`.
    fn delete_devices(&mut self, user: UserId, but: Option<&TokenHash>) -> Result<()>;

    /// Deletes devices last used before `unseen_since` and returns how many.
    fn delete_unused_devices(&mut self, unseen_since: Timestamp) -> Result<usize>;
}
