//! Two-step sign-in: besides the password, a code of an authenticator app (RFC 6238),
//! or a recovery code if the app is lost.
//!
//! Invariant: no step, nor one before an accepted step, is accepted again (RFC 6238,
//! section 5.2); a recovery code works once.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::account::User;
use crate::code::OneTimeCode;
use crate::digest::Digest;
use crate::ids::UserId;
use crate::ports::{PortError, TotpCodes};

/// Duration of a TOTP step, in seconds.
const STEP_SECONDS: i64 = 30;
/// Number of recovery codes per account.
pub const RECOVERY_CODES: usize = 10;
/// Wrong codes in a row after which codes are locked.
pub const WRONG_CODES_MAX: i64 = 10;
/// Wrong codes in a row after which the owner is warned that somebody knows the
/// password.
const WRONG_CODES_TOLD: i64 = 3;
/// Duration of the first lock; doubles with each further wrong code.
const FIRST_LOCK: Duration = Duration::minutes(15);
/// Longest lock.
const LONGEST_LOCK: Duration = Duration::hours(24);
/// Two-step sign-in can be turned off by a mailed link if it was turned on less than this after
/// the address of the account was confirmed, or before.
const REMOVABLE_BY_MAIL: Duration = Duration::days(14);
/// Length of a recovery code: 80 bits, which cannot be guessed.
pub const RECOVERY_LETTERS: usize = 16;

/// The base 32 alphabet of RFC 4648, in which apps accept secrets.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// Letters and digits that are not confused when copied by hand (Crockford's base
/// 32).
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The secret shared by the server and an app: 160 bits, as RFC 4226 recommends.
/// Stored encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; 20]);

impl TotpSecret {
    /// Makes a secret from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Reads back the bytes; `None` when the length is wrong.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Returns the secret bytes, for encryption and for computing codes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// Returns the text form for an app: 32 letters. Never log it.
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

/// Returns the letter for the lowest five bits.
fn letter(alphabet: &[u8; 32], bits: u64) -> Option<char> {
    let index = usize::try_from(bits & 31).ok()?;
    alphabet.get(index).map(|letter| char::from(*letter))
}

/// A TOTP time step: a period of 30 seconds since 1970, with one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step(i64);

impl Step {
    /// Returns the step that contains `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(now.timestamp().div_euclid(STEP_SECONDS))
    }

    /// Wraps a stored step number.
    #[must_use]
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the step number.
    #[must_use]
    pub fn number(self) -> i64 {
        self.0
    }

    /// Returns the step and its neighbours, because clocks differ and typing takes
    /// time.
    fn with_neighbours(self) -> [Self; 3] {
        [-1, 0, 1].map(|distance| Self(self.0 + distance))
    }
}

/// Returns the newest step with code `code` among those accepted at `now`.
///
/// # Errors
/// When codes cannot be computed.
pub fn step_of(
    codes: &dyn TotpCodes,
    secret: &TotpSecret,
    code: &OneTimeCode,
    now: Timestamp,
) -> Result<Option<Step>, PortError> {
    let mut found = None;
    // Checks all of them, so that the timing does not reveal which one matched.
    for step in Step::at(now).with_neighbours() {
        if codes.matches(secret, step, code)? {
            found = Some(step);
        }
    }
    Ok(found)
}

/// The setup of two-step sign-in of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoFactor {
    /// The account set up.
    pub user: UserId,
    /// When a code proved that the app has the secret; `None` while the setup is
    /// pending.
    pub confirmed_at: Option<Timestamp>,
}

/// An attempt with a code of two-step sign-in, before the code is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeAttempt {
    /// Counted as wrong in advance: the number of wrong codes since the last right
    /// one.
    Counted(i64),
    /// Codes are locked until then.
    LockedUntil(Timestamp),
}

/// Returns how long codes are locked after that many wrong ones in a row; `None`
/// while more may be tried. All attempts on an account count together, because an
/// attacker with many addresses would otherwise guess six digits.
#[must_use]
pub fn lock_after(wrong_codes: i64) -> Option<Duration> {
    if wrong_codes < WRONG_CODES_MAX {
        return None;
    }
    let doublings = u32::try_from(wrong_codes - WRONG_CODES_MAX).unwrap_or(u32::MAX);
    Some((FIRST_LOCK * 2_i32.pow(doublings.min(10))).min(LONGEST_LOCK))
}

/// Returns whether the owner is notified of the last of that many wrong codes in a
/// row: early, but not of a single slip, and of each lock.
#[must_use]
pub fn should_notify(wrong_codes: i64) -> bool {
    wrong_codes == WRONG_CODES_TOLD || wrong_codes >= WRONG_CODES_MAX
}

impl TwoFactor {
    /// Returns whether logins need it.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.confirmed_at.is_some()
    }

    /// Returns whether a password reset by mail may turn it off: whoever registered somebody
    /// else's address, and got it confirmed, could otherwise lock out its owner for good.
    #[must_use]
    pub fn is_removable_by_mail(&self, user: &User) -> bool {
        match (self.confirmed_at, user.email_confirmed_at) {
            (Some(turned_on), Some(confirmed)) => turned_on < confirmed + REMOVABLE_BY_MAIL,
            _ => false,
        }
    }
}

/// A code that replaces the app once. Never log it.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// Makes a code from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; RECOVERY_LETTERS]) -> Self {
        let letters = bytes.iter().map(|byte| u64::from(*byte));
        Self(letters.filter_map(|bits| letter(CROCKFORD, bits)).collect())
    }

    /// Parses a typed code; `None` when it cannot be one. Case, separators and
    /// letters that look like digits are normalized.
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

    /// Returns the displayed form: groups of four letters.
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

    /// Returns the hash to store. A plain hash suffices: 80 random bits cannot be
    /// guessed. It needs no key, so that key rotation does not invalidate codes.
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

/// A code that is entered for two-step sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondStep {
    /// A code of an authenticator app.
    App(OneTimeCode),
    /// A recovery code.
    Recovery(RecoveryCode),
}

impl SecondStep {
    /// Parses the input; `None` when it is neither.
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
