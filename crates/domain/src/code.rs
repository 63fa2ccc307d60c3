//! One-time codes: the proof that somebody reads the mails of an address.
//!
//! Invariant: a code is good for [`CODE_ATTEMPTS`] guesses within
//! [`CODE_LIFETIME`], and for one success. The store only ever keeps a
//! [`CodeHash`], made with a key that the store does not have: six digits
//! alone would be found by trying all of them.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::RecipientId;

/// How long a code works.
pub const CODE_LIFETIME: Duration = Duration::minutes(10);
/// How often it may be entered, right or wrong.
pub const CODE_ATTEMPTS: i32 = 5;
/// How long to wait before asking for another one.
pub const RESEND_COOLDOWN: Duration = Duration::minutes(1);

/// How many digits a code has.
const DIGITS: usize = 6;
/// How many codes there are.
const CODES: u64 = 1_000_000;

/// Six digits. Never log them.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeCode(String);

impl OneTimeCode {
    /// A code from bytes of a cryptographic random source. Of 2^64 values, no
    /// code gets noticeably more than another.
    #[must_use]
    pub fn from_random(bytes: [u8; 8]) -> Self {
        let number = u64::from_be_bytes(bytes) % CODES;
        Self(format!("{number:0DIGITS$}"))
    }

    /// Parses what a person typed or pasted; spaces do not matter.
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

    /// The digits, for the mail and for hashing.
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
    /// Wraps a hash that was made or stored.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes, as stored.
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

/// The code that a recipient was sent last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailCode {
    /// Whom it was sent to.
    pub recipient: RecipientId,
    /// What is kept of it.
    pub hash: CodeHash,
    /// How often it was entered.
    pub attempts: i32,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// From then on it does not work.
    pub expires_at: Timestamp,
}

impl EmailCode {
    /// A code that is sent `now`.
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

    /// Whether another guess may be made at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.attempts < CODE_ATTEMPTS && now < self.expires_at
    }

    /// How many guesses are left.
    #[must_use]
    pub fn attempts_left(&self) -> i32 {
        (CODE_ATTEMPTS - self.attempts).max(0)
    }

    /// How long to wait at `now` before asking for another one.
    #[must_use]
    pub fn pause_left(&self, now: Timestamp) -> Duration {
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
    fn a_code_has_six_digits_even_when_it_begins_with_zeros() {
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
    fn pasted_spaces_do_not_matter() {
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
    fn a_code_works_for_ten_minutes_and_five_tries() {
        assert!(sent().is_live(at(599)));
        assert!(!sent().is_live(at(600)));
        let tried = |attempts| EmailCode { attempts, ..sent() };
        assert!(tried(4).is_live(at(0)));
        assert!(!tried(5).is_live(at(0)));
        assert_eq!([0, 4, 5, 9].map(|n| tried(n).attempts_left()), [5, 1, 0, 0]);
    }

    #[test]
    fn another_code_takes_a_minute() {
        assert_eq!(sent().pause_left(at(0)), Duration::seconds(60));
        assert_eq!(sent().pause_left(at(59)), Duration::seconds(1));
        assert_eq!(sent().pause_left(at(700)), Duration::zero());
        // A clock that was set back keeps nobody waiting longer.
        assert_eq!(sent().pause_left(at(-700)), RESEND_COOLDOWN);
    }
}
