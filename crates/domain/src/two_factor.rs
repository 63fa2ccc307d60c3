//! Two-step sign-in: besides the password, a code of an authenticator app (RFC
//! 6238), or a recovery code of somebody who has lost it.
//!
//! Invariant: of an app, no step is accepted twice, nor one before it (RFC 6238,
//! section 5.2); a recovery code works once.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::code::OneTimeCode;
use crate::digest::Digest;
use crate::ids::UserId;
use crate::ports::{PortError, TotpCodes};

/// How long an app shows a code.
const STEP_SECONDS: i64 = 30;
/// How many recovery codes an account gets.
pub const RECOVERY_CODES: usize = 10;
/// From this many wrong codes in a row on, none is taken for a while.
pub const WRONG_CODES_MAX: i64 = 10;
/// At this many, the owner is told that somebody knows the password.
const WRONG_CODES_TOLD: i64 = 3;
/// How long the first lock lasts; each further wrong code doubles it.
const FIRST_LOCK: Duration = Duration::minutes(15);
/// The longest lock.
const LONGEST_LOCK: Duration = Duration::hours(24);
/// How many letters a recovery code has: 80 bits, which nobody guesses.
pub const RECOVERY_LETTERS: usize = 16;

/// The letters of RFC 4648's base 32, in which apps take secrets.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// Letters and digits that nobody confuses when copying by hand (Crockford's base 32).
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// What the server and an app share: 160 bits, as RFC 4226 recommends. The store
/// only ever keeps it sealed.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; 20]);

impl TotpSecret {
    /// A secret of bytes from a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Reads the bytes back; none when they are something else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The secret bytes, for sealing and for codes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The form that an app takes: 32 letters. Never log it.
    #[must_use]
    pub fn reveal(&self) -> String {
        let (groups, _) = self.0.as_chunks::<5>();
        let letters = groups.iter().flat_map(|group| {
            let bits = group
                .iter()
                .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
            (0..8).rev().map(move |place| bits >> (5 * place))
        });
        letters.filter_map(|bits| letter(BASE32, bits)).collect()
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(secret)")
    }
}

/// The letter of the last five bits, of which every alphabet has one.
fn letter(alphabet: &[u8; 32], bits: u64) -> Option<char> {
    let index = usize::try_from(bits & 31).ok()?;
    alphabet.get(index).map(|letter| char::from(*letter))
}

/// One of the half minutes since 1970, each of which has a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step(i64);

impl Step {
    /// The one that `now` is in.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(now.timestamp().div_euclid(STEP_SECONDS))
    }

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

    /// Itself and its neighbours: clocks differ, and typing takes a while.
    fn with_neighbours(self) -> [Self; 3] {
        [-1, 0, 1].map(|distance| Self(self.0 + distance))
    }
}

/// The newest step whose code is `code`, of those that count `now`.
///
/// # Errors
/// When codes cannot be made.
pub fn step_of(
    codes: &dyn TotpCodes,
    secret: &TotpSecret,
    code: &OneTimeCode,
    now: Timestamp,
) -> Result<Option<Step>, PortError> {
    let mut found = None;
    // All of them, so that the time does not tell which.
    for step in Step::at(now).with_neighbours() {
        if codes.matches(secret, step, code)? {
            found = Some(step);
        }
    }
    Ok(found)
}

/// The app of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoFactor {
    /// Whose it is.
    pub user: UserId,
    /// The secret, encrypted for that account.
    pub secret_sealed: Vec<u8>,
    /// When a code showed that the app has the secret; until then, it does not count.
    pub confirmed_at: Option<Timestamp>,
}

/// An attempt at the second step, before it is known whether the code is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeAttempt {
    /// It counts, as if it were wrong: so many have been since the last right one.
    Counted(i64),
    /// No code is taken before then.
    LockedUntil(Timestamp),
}

/// How long no code is taken after so many wrong ones in a row; none while more
/// may be tried. Guessing six digits would not last against many addresses, so all
/// that is tried for one account counts together.
#[must_use]
pub fn lock_after(wrong_codes: i64) -> Option<Duration> {
    if wrong_codes < WRONG_CODES_MAX {
        return None;
    }
    let doublings = u32::try_from(wrong_codes - WRONG_CODES_MAX).unwrap_or(u32::MAX);
    Some((FIRST_LOCK * 2_i32.pow(doublings.min(10))).min(LONGEST_LOCK))
}

/// Whether the owner is told of the last of so many wrong codes in a row: soon,
/// but not of a slip, and of each lock.
#[must_use]
pub fn is_told_of(wrong_codes: i64) -> bool {
    wrong_codes == WRONG_CODES_TOLD || wrong_codes >= WRONG_CODES_MAX
}

impl TwoFactor {
    /// Whether a login needs it.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.confirmed_at.is_some()
    }
}

/// Stands in for the app, once. Never log it.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// A code from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; RECOVERY_LETTERS]) -> Self {
        let letters = bytes.iter().map(|byte| u64::from(*byte));
        Self(letters.filter_map(|bits| letter(CROCKFORD, bits)).collect())
    }

    /// Reads what a person typed; none when it cannot be a code. Neither case nor
    /// separators matter, nor do the letters that look like digits.
    #[must_use]
    pub fn parse(raw: &str) -> Option<Self> {
        let mut letters = String::with_capacity(RECOVERY_LETTERS);
        for typed in raw.chars() {
            let letter = match typed.to_ascii_uppercase() {
                '-' => continue,
                space if space.is_whitespace() => continue,
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            };
            let known = u8::try_from(letter).is_ok_and(|byte| CROCKFORD.contains(&byte));
            if !known || letters.len() == RECOVERY_LETTERS {
                return None;
            }
            letters.push(letter);
        }
        (letters.len() == RECOVERY_LETTERS).then_some(Self(letters))
    }

    /// The form that is shown: four letters at a time.
    #[must_use]
    pub fn reveal(&self) -> String {
        let mut shown = String::new();
        for (position, letter) in self.0.chars().enumerate() {
            if position > 0 && position % 4 == 0 {
                shown.push('-');
            }
            shown.push(letter);
        }
        shown
    }

    /// What the store keeps of it. A plain hash suffices: 80 random bits cannot be
    /// guessed. And it needs no key, so that rotating keys does not end codes.
    #[must_use]
    pub fn hash(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(secret)")
    }
}

/// What somebody typed at the second step, as far as it can be a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondStep {
    /// What an app showed.
    App(OneTimeCode),
    /// What was kept for the day that the app is lost.
    Recovery(RecoveryCode),
}

impl SecondStep {
    /// Reads it; none when it is neither.
    #[must_use]
    pub fn parse(raw: &str) -> Option<Self> {
        match OneTimeCode::parse(raw) {
            Ok(code) => Some(Self::App(code)),
            Err(_) => RecoveryCode::parse(raw).map(Self::Recovery),
        }
    }
}

#[cfg(test)]
mod tests;
