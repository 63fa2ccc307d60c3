//! Browsers that an account was used with before. Knowing one lets nobody in:
//! it only decides whether the owner is told of a login.

use chrono::Duration;

use crate::Timestamp;
use crate::ids::UserId;
use crate::token::TokenHash;

/// A device is forgotten this long after its last login.
pub const DEVICE_LIFETIME: Duration = Duration::days(180);
/// Most devices that are known of one account.
pub const DEVICES_MAX: i64 = 20;

/// A browser, known to an account by the key in its cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDevice {
    /// Whose account was used with it.
    pub user: UserId,
    /// Hash of the key in the browser's cookie.
    pub key_hash: TokenHash,
    /// When it was last signed in with.
    pub last_seen_at: Timestamp,
}
