//! Creators: accounts, passwords, login sessions.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::characters::composed;
use crate::digest::Digester;
use crate::email::Email;
use crate::failure::Invalid;
use crate::ids::{UserId, UserSessionId};
use crate::text::PersonName;
use crate::token::TokenHash;

/// Shortest password, in characters (`docs/rules.md#account-fields`).
pub const PASSWORD_MIN: usize = 6;
/// Longest password, in characters; bounds the work of hashing.
pub const PASSWORD_MAX: usize = 128;

/// A session ends after this time without a request.
pub const SESSION_IDLE: Duration = Duration::hours(12);
/// A session ends this long after login, even if in use.
pub const SESSION_LIFETIME: Duration = Duration::days(7);

/// Validity of a password reset link.
pub const RESET_LIFETIME: Duration = Duration::minutes(30);
/// Validity of a confirmation link.
pub const CONFIRMATION_LIFETIME: Duration = Duration::days(3);
/// Shortest time between two mails that notify an owner of registration attempts with
/// the address: at most three a day.
pub const REGISTRATION_NOTICE_COOLDOWN: Duration = Duration::hours(8);

/// A registered creator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Unique id.
    pub id: UserId,
    /// Display name.
    pub name: PersonName,
    /// Login name; never changes.
    pub email: Email,
    /// Path of the photo, if one was uploaded.
    pub profile_image: Option<String>,
    /// When the account was created.
    pub created_at: Timestamp,
    /// When the owner confirmed the address, if ever.
    pub email_confirmed_at: Option<Timestamp>,
    /// When the operator disabled the account, if so: no login, and nothing of it is
    /// disclosed.
    pub disabled_at: Option<Timestamp>,
}

impl User {
    /// Returns whether the address is confirmed.
    #[must_use]
    pub fn has_confirmed_email(&self) -> bool {
        self.email_confirmed_at.is_some()
    }

    /// Returns whether the operator has disabled the account.
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        self.disabled_at.is_some()
    }
}

/// Counts how often all sessions of an account were ended.
///
/// Invariant: a session can begin only in the epoch in which its login was accepted.
/// A login takes a while; if all sessions are ended meanwhile, by a password change
/// or by turning on two-step sign-in, the pending login fails too. New accounts begin
/// with the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionEpoch(i64);

impl SessionEpoch {
    /// Wraps a stored epoch number.
    #[must_use]
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the epoch number.
    #[must_use]
    pub fn number(self) -> i64 {
        self.0
    }
}

/// A plaintext password, to be hashed in normalization form C: keyboards differ in how they send
/// the same letters.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Checks the length of a password (`docs/rules.md#account-fields`), naming
    /// `field` in the error.
    ///
    /// # Errors
    /// [`Invalid`] on `field`.
    pub fn parse(field: &'static str, raw: &str) -> Result<Self, Invalid> {
        let composed = composed(raw);
        let length = composed.chars().count();
        if length < PASSWORD_MIN {
            let what = if field == "newPassword" {
                "New password"
            } else {
                "Password"
            };
            return Err(Invalid::new(
                field,
                format!("{what} must be at least {PASSWORD_MIN} characters"),
            ));
        }
        if length > PASSWORD_MAX {
            return Err(Invalid::new(
                field,
                format!("Please use at most {PASSWORD_MAX} characters"),
            ));
        }
        Ok(Self(composed.into_owned()))
    }

    /// Returns the plaintext in its normal form; only a hasher should call this.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(secret)")
    }
}

/// A password hash in PHC string format.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps a PHC string.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// Returns the PHC string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash")
    }
}

/// One signed-in browser of a creator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSession {
    /// Hash of the key in the browser's cookie.
    pub key_hash: TokenHash,
    /// The signed-in account; `None` before login.
    pub user: Option<UserId>,
    /// Session data in the encoding of the session layer.
    pub state: String,
    /// When it began: at login.
    pub created_at: Timestamp,
    /// The last request that was recorded; see [`UserSession::needs_touch`].
    pub last_seen_at: Timestamp,
}

impl UserSession {
    /// Returns the public id of the session. Neither the key nor its hash can be
    /// derived from it.
    #[must_use]
    pub fn id(&self) -> UserSessionId {
        UserSession::id_of(&self.key_hash)
    }

    /// Returns the id of the session with that key.
    #[must_use]
    pub fn id_of(key: &TokenHash) -> UserSessionId {
        let mut digester = Digester::default();
        digester.update(b"id of a user session");
        digester.update(key.as_bytes());
        let mut id = [0; 16];
        for (to, from) in id.iter_mut().zip(digester.finish().as_bytes()) {
            *to = *from;
        }
        UserSessionId::from_random(id)
    }

    /// Returns whether the session is valid at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.last_seen_at + SESSION_IDLE && now < self.created_at + SESSION_LIFETIME
    }

    /// Returns until when a live session stays live and needs no update.
    #[must_use]
    pub fn unchanged_until(&self) -> Timestamp {
        // It needs one long before it has been idle for too long.
        self.needs_touch_from()
            .min(self.created_at + SESSION_LIFETIME)
    }

    fn needs_touch_from(&self) -> Timestamp {
        self.last_seen_at + Duration::minutes(5)
    }

    /// Returns whether `last_seen_at` should be updated to `now`: at most once in
    /// five minutes, so that reads do not become writes.
    #[must_use]
    pub fn needs_touch(&self, now: Timestamp) -> bool {
        now >= self.needs_touch_from()
    }
}

/// A request to reset a password. Each account has at most one: the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// The account whose password it resets.
    pub user: UserId,
    /// Hash of the token in the mailed link.
    pub token_hash: TokenHash,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A mailed link that confirms the address of an account. Each account has at most
/// one: the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailConfirmation {
    /// The account whose address it confirms.
    pub user: UserId,
    /// Hash of the token in the mailed link.
    pub token_hash: TokenHash,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The state of a confirmation link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationLink {
    /// The link is valid, for the address of that account.
    Live(UserId),
    /// The link was used before.
    UsedBefore,
    /// The link has expired, was replaced by a newer one, or never existed.
    Denied,
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::digest::Digest;
    use crate::hex;
    use crate::token::Token;

    fn at(seconds: i64) -> Timestamp {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn session(created: i64, seen: i64) -> UserSession {
        UserSession {
            key_hash: Token::from_random([1; 32]).hash(),
            user: None,
            state: String::new(),
            created_at: at(created),
            last_seen_at: at(seen),
        }
    }

    #[test]
    fn password_length_has_a_minimum_and_a_maximum() {
        assert_eq!(
            Password::parse("password", "12345").unwrap_err(),
            Invalid::new("password", "Password must be at least 6 characters")
        );
        assert_eq!(
            Password::parse("newPassword", "12345").unwrap_err().message,
            "New password must be at least 6 characters"
        );
        assert!(Password::parse("password", "123456").is_ok());
        assert!(Password::parse("password", &"x".repeat(128)).is_ok());
        assert!(Password::parse("password", &"x".repeat(129)).is_err());
    }

    #[test]
    fn a_password_has_one_form_however_it_was_typed() {
        let parse = |raw| Password::parse("password", raw).unwrap();
        let (one, apart) = (
            parse("Gr\u{f6}\u{df}e-7-kettles"),
            parse("Gro\u{308}\u{df}e-7-kettles"),
        );
        assert_eq!(one.reveal(), apart.reveal());
        assert_ne!(one.reveal(), parse("Grosse-7-kettles").reveal());
        assert!(Password::parse("password", &"o\u{308}".repeat(128)).is_ok());
        assert!(Password::parse("password", &"o\u{308}".repeat(5)).is_err());
    }

    #[test]
    fn the_id_of_a_session_is_stable_and_reveals_nothing_of_its_key() {
        let one = session(0, 0);
        let other = UserSession {
            key_hash: Token::from_random([2; 32]).hash(),
            ..one.clone()
        };
        assert_eq!(one.id(), UserSession::id_of(&one.key_hash));
        assert_ne!(one.id(), other.id());
        let shown = one.id().to_string().replace('-', "");
        let hash = Digest::of(one.key_hash.as_bytes()).to_string();
        let key = hex::encode(one.key_hash.as_bytes());
        for part in [hash, key] {
            assert!(!part.starts_with(&shown[..8]), "{part} {shown}");
        }
    }

    #[test]
    fn a_session_expires_after_twelve_idle_hours() {
        let hour = 3600;
        assert!(session(0, 0).is_live(at(12 * hour - 1)));
        assert!(!session(0, 0).is_live(at(12 * hour)));
    }

    #[test]
    fn a_session_says_until_when_nothing_changes() {
        let day = 86_400;
        for (seen, until) in [
            (0, 300),
            (7 * day - 400, 7 * day - 100),
            (7 * day - 100, 7 * day),
        ] {
            let session = session(0, seen);
            assert_eq!(session.unchanged_until(), at(until));
            let is_unchanged = |now| session.is_live(now) && !session.needs_touch(now);
            assert!(is_unchanged(at(until - 1)));
            assert!(!is_unchanged(at(until)));
        }
    }

    #[test]
    fn an_active_session_expires_after_seven_days() {
        let day = 86_400;
        assert!(session(0, 7 * day - 10).is_live(at(7 * day - 1)));
        assert!(!session(0, 7 * day - 10).is_live(at(7 * day)));
    }
}
