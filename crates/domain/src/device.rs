//! Browsers that an account has signed in with. A known device grants no access: it
//! only decides whether the owner is notified of a login.

use chrono::Duration;

use crate::Timestamp;
use crate::ids::UserId;
use crate::token::TokenHash;

/// Time after its last login for which a device is kept.
pub const DEVICE_LIFETIME: Duration = Duration::days(180);
/// Most known devices per account.
pub const DEVICES_MAX: i64 = 20;

/// A browser known to an account by the key in its cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDevice {
    /// The account that knows it.
    pub user: UserId,
    /// Hash of the key in the browser's cookie.
    pub key_hash: TokenHash,
    /// When it was last used to sign in.
    pub last_seen_at: Timestamp,
}
