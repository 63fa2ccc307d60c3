//! Creators: accounts, passwords, signed-in sessions.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::digest::Digester;
use crate::email::Email;
use crate::failure::Invalid;
use crate::ids::{UserId, UserSessionId};
use crate::text::PersonName;
use crate::token::TokenHash;

/// Shortest password, in characters (spec section 9).
pub const PASSWORD_MIN: usize = 6;
/// Longest password, in characters (design section 4): bounds the hashing work.
pub const PASSWORD_MAX: usize = 128;

/// A session ends after this long without a request.
pub const SESSION_IDLE: Duration = Duration::hours(12);
/// A session ends this long after login, however busy.
pub const SESSION_LIFETIME: Duration = Duration::days(7);

/// How long a link to reset a password works.
pub const RESET_LIFETIME: Duration = Duration::minutes(30);
/// How long a link to confirm an address works.
pub const CONFIRMATION_LIFETIME: Duration = Duration::days(3);
/// The shortest time between two mails which tell an owner that somebody tried to
/// register with the address: at most three a day.
pub const REGISTRATION_NOTICE_PAUSE: Duration = Duration::hours(8);

/// A registered creator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Identity.
    pub id: UserId,
    /// Display name.
    pub name: PersonName,
    /// Login name; never changes.
    pub email: Email,
    /// Address of the photo, if one was uploaded.
    pub profile_image: Option<String>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When its owner showed that mails to the address arrive, if anybody has.
    pub email_confirmed_at: Option<Timestamp>,
    /// Since when the operator keeps it closed: nobody signs in, and nothing of it
    /// is disclosed.
    pub disabled_at: Option<Timestamp>,
}

impl User {
    /// Whether mails to the address are known to arrive at the owner.
    #[must_use]
    pub fn has_confirmed_email(&self) -> bool {
        self.email_confirmed_at.is_some()
    }

    /// Whether the operator keeps the account closed.
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        self.disabled_at.is_some()
    }
}

/// How often all sessions of an account were ended.
///
/// Invariant: a session begins only in the epoch in which it was found out that it
/// may. A login takes a while; whoever ends all sessions meanwhile, by choosing
/// another password or wanting a second step, ends it too. New accounts begin with
/// the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionEpoch(i64);

impl SessionEpoch {
    /// The one with that number.
    #[must_use]
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> i64 {
        self.0
    }
}

/// A plaintext password, on its way to the hasher.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Checks the length rule of the spec's section 5, naming `field`.
    ///
    /// # Errors
    /// [`Invalid`] on `field`.
    pub fn parse(field: &'static str, raw: &str) -> Result<Self, Invalid> {
        let length = raw.chars().count();
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
        Ok(Self(raw.to_owned()))
    }

    /// The secret itself; only a hasher should ask.
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

    /// The PHC string.
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
    /// Who is signed in, if anybody yet.
    pub user: Option<UserId>,
    /// The session's values, in the session layer's own encoding.
    pub state: String,
    /// When it began: at login.
    pub created_at: Timestamp,
    /// The last request that was recorded; see [`UserSession::needs_touch`].
    pub last_seen_at: Timestamp,
}

impl UserSession {
    /// By what its owner names it. Leads back neither to the key nor to what the
    /// key is looked up by.
    #[must_use]
    pub fn id(&self) -> UserSessionId {
        UserSession::id_of(&self.key_hash)
    }

    /// The id of the session with that key.
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

    /// Whether it still counts at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.last_seen_at + SESSION_IDLE && now < self.created_at + SESSION_LIFETIME
    }

    /// Whether `last_seen_at` should be moved to `now`: recorded at most once
    /// in five minutes, so that reading does not become writing.
    #[must_use]
    pub fn needs_touch(&self, now: Timestamp) -> bool {
        now >= self.last_seen_at + Duration::minutes(5)
    }
}

/// A request to choose another password without the old one. Each account has
/// at most one: the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// Whose password it resets.
    pub user: UserId,
    /// What the token in the mailed link is looked up by.
    pub token_hash: TokenHash,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// From then on it is dead.
    pub expires_at: Timestamp,
}

/// A mailed link by which the owner of an account shows that mails to its address
/// arrive. Each account has at most one: the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailConfirmation {
    /// Whose address it confirms.
    pub user: UserId,
    /// What the token in the mailed link is looked up by.
    pub token_hash: TokenHash,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// From then on it is dead.
    pub expires_at: Timestamp,
}

/// What became of the token of such a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationAttempt {
    /// It was good, and is used up now.
    Taken(UserId),
    /// It was used before.
    UsedBefore,
    /// It is too old, was replaced by a newer one, or never was.
    Denied,
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::digest::Digest;
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
    fn password_length_has_both_bounds() {
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
    fn the_id_of_a_session_is_steady_and_shows_nothing_of_its_key() {
        let one = session(0, 0);
        let other = UserSession {
            key_hash: Token::from_random([2; 32]).hash(),
            ..one.clone()
        };
        assert_eq!(one.id(), UserSession::id_of(&one.key_hash));
        assert_ne!(one.id(), other.id());
        let shown = one.id().to_string().replace('-', "");
        let hash = Digest::of(one.key_hash.as_bytes()).to_string();
        let key: String = one
            .key_hash
            .as_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        for part in [hash, key] {
            assert!(!part.starts_with(&shown[..8]), "{part} {shown}");
        }
    }

    #[test]
    fn a_session_dies_after_twelve_idle_hours() {
        let hour = 3600;
        assert!(session(0, 0).is_live(at(12 * hour - 1)));
        assert!(!session(0, 0).is_live(at(12 * hour)));
    }

    #[test]
    fn a_busy_session_dies_after_seven_days() {
        let day = 86_400;
        assert!(session(0, 7 * day - 10).is_live(at(7 * day - 1)));
        assert!(!session(0, 7 * day - 10).is_live(at(7 * day)));
    }
}
