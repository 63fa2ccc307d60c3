//! One-time codes that prove control of an email address.
//!
//! Invariant: a code allows [`CODE_ATTEMPTS`] attempts within [`CODE_LIFETIME`], and
//! one success. The database stores only a [`CodeHash`], made with a key that it does
//! not have: a plain hash of six digits could be brute-forced.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::RecipientId;

/// Validity of a code.
pub const CODE_LIFETIME: Duration = Duration::minutes(10);
/// Most attempts per code, right or wrong.
pub const CODE_ATTEMPTS: i32 = 5;
/// Shortest time between two codes for one recipient.
pub const RESEND_COOLDOWN: Duration = Duration::minutes(1);

/// Number of digits of a code.
const DIGITS: usize = 6;
/// Number of possible codes.
const CODES: u64 = 1_000_000;

/// A six-digit code. Never log it.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeCode(String);

impl OneTimeCode {
    /// Makes a code from random bytes. The modulo bias of 2^64 values is negligible.
    #[must_use]
    pub fn from_random(bytes: [u8; 8]) -> Self {
        let number = u64::from_be_bytes(bytes) % CODES;
        Self(format!("{number:0DIGITS$}"))
    }

    /// Parses a typed or pasted code; spaces are ignored.
    ///
    /// # Errors
    /// [`Invalid`] on `code`.
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let digits: String = raw.chars().filter(|c| !c.is_whitespace()).collect();
        if digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(Self(digits))
        } else {
            Err(Invalid::new(
                "code",
                "Please enter the 6 digits of the code",
            ))
        }
    }

    /// Returns the digits, for the mail and for hashing.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OneTimeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneTimeCode(secret)")
    }
}

/// The keyed hash of a code, bound to its recipient.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CodeHash([u8; 32]);

impl CodeHash {
    /// Wraps a computed or stored hash.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes, as stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeHash")
    }
}

/// The newest code sent to a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailCode {
    /// The recipient it was sent to.
    pub recipient: RecipientId,
    /// Keyed hash of the code.
    pub hash: CodeHash,
    /// Attempts used so far.
    pub attempts: i32,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl EmailCode {
    /// Creates a code sent at `now`.
    #[must_use]
    pub fn new(recipient: RecipientId, hash: CodeHash, now: Timestamp) -> Self {
        Self {
            recipient,
            hash,
            attempts: 0,
            sent_at: now,
            expires_at: now + CODE_LIFETIME,
        }
    }

    /// Returns whether another attempt is allowed at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.attempts < CODE_ATTEMPTS && now < self.expires_at
    }

    /// Returns how many attempts are left.
    #[must_use]
    pub fn attempts_left(&self) -> i32 {
        (CODE_ATTEMPTS - self.attempts).max(0)
    }

    /// Returns the remaining cooldown at `now` before another code can be requested.
    #[must_use]
    pub fn cooldown_left(&self, now: Timestamp) -> Duration {
        (self.sent_at + RESEND_COOLDOWN - now).clamp(Duration::zero(), RESEND_COOLDOWN)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn sent() -> EmailCode {
        let recipient = RecipientId::from_random([1; 16]);
        EmailCode::new(recipient, CodeHash::from_bytes([2; 32]), at(0))
    }

    #[test]
    fn a_code_has_six_digits_including_leading_zeros() {
        assert_eq!(OneTimeCode::from_random([0; 8]).reveal(), "000000");
        assert_eq!(
            OneTimeCode::from_random(1_000_042_u64.to_be_bytes()).reveal(),
            "000042"
        );
        assert_eq!(
            OneTimeCode::from_random(999_999_u64.to_be_bytes()).reveal(),
            "999999"
        );
    }

    #[test]
    fn spaces_are_ignored() {
        let code = OneTimeCode::parse("123456").unwrap();
        for raw in [" 123 456 ", "1 2 3 4 5 6", "123\u{a0}456", "\t123456\n"] {
            assert_eq!(OneTimeCode::parse(raw).unwrap(), code, "{raw:?}");
        }
    }

    #[test]
    fn anything_but_six_plain_digits_is_refused() {
        for raw in [
            "",
            "12345",
            "1234567",
            "12345a",
            "-12345",
            "１２３４５６",
            "12.345",
        ] {
            assert_eq!(
                OneTimeCode::parse(raw).unwrap_err().field,
                "code",
                "{raw:?}"
            );
        }
    }

    #[test]
    fn debug_output_hides_the_digits() {
        let code = OneTimeCode::parse("123456").unwrap();
        assert!(!format!("{code:?} {:?}", sent()).contains("123456"));
    }

    #[test]
    fn a_code_is_valid_for_ten_minutes_and_five_attempts() {
        assert!(sent().is_live(at(599)));
        assert!(!sent().is_live(at(600)));
        let tried = |attempts| EmailCode { attempts, ..sent() };
        assert!(tried(4).is_live(at(0)));
        assert!(!tried(5).is_live(at(0)));
        assert_eq!([0, 4, 5, 9].map(|n| tried(n).attempts_left()), [5, 1, 0, 0]);
    }

    #[test]
    fn a_code_can_be_resent_after_a_minute() {
        assert_eq!(sent().cooldown_left(at(0)), Duration::seconds(60));
        assert_eq!(sent().cooldown_left(at(59)), Duration::seconds(1));
        assert_eq!(sent().cooldown_left(at(700)), Duration::zero());
        // Setting the clock back does not lengthen the cooldown.
        assert_eq!(sent().cooldown_left(at(-700)), RESEND_COOLDOWN);
    }
}
