//! Storage quotas per account and for the whole vault, in bytes before encryption.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::failure::Failure;

/// Default quota of an account: 2 GB.
pub const ACCOUNT_QUOTA_DEFAULT: ByteSize = ByteSize(2_000_000_000);

/// A number of bytes, written like `500MB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(u64);

/// Error: not a size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("write a size like 500MB, 2GB or 1.5GiB")]
pub struct NotASize;

/// Decimal and binary units; longer names first.
const UNITS: [(&str, u64); 12] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("b", 1),
];

impl ByteSize {
    /// Wraps a number of bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for ByteSize {
    type Err = NotASize;

    /// Parses a whole number of bytes, or a number and a unit, up to 8 exabytes.
    fn from_str(text: &str) -> Result<Self, NotASize> {
        let text = text.trim().to_ascii_lowercase();
        let (number, unit) = UNITS
            .iter()
            .find_map(|(name, bytes)| Some((text.strip_suffix(name)?, *bytes)))
            .unwrap_or((&text, 1));
        let (whole, fraction) = number
            .trim()
            .split_once('.')
            .unwrap_or((number.trim(), "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // Six decimal places are exact in 128 bits.
        if !digits(whole) || !digits(fraction) || fraction.len() > 6 {
            return Err(NotASize);
        }
        let millionths: u128 = format!("{whole}{fraction:0<6}")
            .parse()
            .map_err(|_| NotASize)?;
        let bytes = millionths.checked_mul(unit.into()).ok_or(NotASize)? / 1_000_000;
        i64::try_from(bytes)
            .ok()
            .and_then(|bytes| u64::try_from(bytes).ok())
            .map(Self)
            .ok_or(NotASize)
    }
}

impl fmt::Display for ByteSize {
    /// Uses the largest decimal unit, with one decimal place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, size): (_, u64) = [
            ("TB", 1_000_000_000_000),
            ("GB", 1_000_000_000),
            ("MB", 1_000_000),
        ]
        .into_iter()
        .find(|(_, size)| self.0 >= *size)
        .unwrap_or(("kB", 1_000));
        let tenths = u128::from(self.0) * 10 / u128::from(size);
        match (tenths / 10, tenths % 10) {
            (whole, 0) => write!(f, "{whole} {unit}"),
            (whole, tenth) => write!(f, "{whole}.{tenth} {unit}"),
        }
    }
}

/// The operator's storage limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// Quota of an account without one of its own.
    pub account: ByteSize,
    /// Quota of all accounts together; `None` means no limit.
    pub vault: Option<ByteSize>,
}

impl Default for Quotas {
    fn default() -> Self {
        Self {
            account: ACCOUNT_QUOTA_DEFAULT,
            vault: None,
        }
    }
}

/// An account's storage usage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountStorage {
    /// Bytes stored.
    pub used: u64,
    /// Quota set by the operator for this account, if any.
    pub quota: Option<ByteSize>,
}

/// The quota that a write would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QuotaExceeded {
    /// The account's quota.
    #[error(
        "Your account has reached its storage quota of {0}. Nothing was saved. Delete drafts or \
         images that you no longer need, or ask the operator of this vault for more space."
    )]
    Account(ByteSize),
    /// The vault's quota.
    #[error(
        "This vault has no storage left. Nothing was saved. Please ask its operator for more space."
    )]
    Vault,
}

impl From<QuotaExceeded> for Failure {
    fn from(exceeded: QuotaExceeded) -> Self {
        match exceeded {
            QuotaExceeded::Account(_) => Self::TooLarge(exceeded.to_string()),
            QuotaExceeded::Vault => Self::QuotaReached(exceeded.to_string()),
        }
    }
}

impl AccountStorage {
    /// Returns the effective quota of the account.
    #[must_use]
    pub fn quota(&self, quotas: &Quotas) -> ByteSize {
        self.quota.unwrap_or(quotas.account)
    }

    /// Checks the current usage against the account's quota.
    pub fn check(&self, quotas: &Quotas) -> Result<(), QuotaExceeded> {
        let quota = self.quota(quotas);
        if self.used > quota.bytes() {
            return Err(QuotaExceeded::Account(quota));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_units() {
        for (text, bytes) in [
            ("500MB", 500_000_000),
            ("2 gb", 2_000_000_000),
            ("1.5GiB", 1_610_612_736),
            ("10m", 10_000_000),
            ("4096", 4096),
            ("0", 0),
            ("12b", 12),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in [
            "",
            "MB",
            "-1MB",
            "1,5GB",
            "1e9",
            "many",
            "99999999TB",
            "1.MB",
            ".5MB",
        ] {
            assert_eq!(text.parse::<ByteSize>(), Err(NotASize), "{text}");
        }
    }

    #[test]
    fn sizes_are_displayed_in_the_fitting_unit() {
        for (bytes, text) in [
            (0, "0 kB"),
            (1_499, "1.4 kB"),
            (2_000_000_000, "2 GB"),
            (1_550_000, "1.5 MB"),
        ] {
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
    }

    #[test]
    fn an_account_can_fill_its_quota_and_not_exceed_it() {
        let quotas = Quotas {
            account: ByteSize(10),
            vault: None,
        };
        let stored = |used, quota| AccountStorage { used, quota }.check(&quotas);
        assert_eq!(stored(10, None), Ok(()));
        assert_eq!(stored(11, None), Err(QuotaExceeded::Account(ByteSize(10))));
        assert_eq!(stored(11, Some(ByteSize(11))), Ok(()));
        assert!(stored(1, Some(ByteSize(0))).is_err());
    }
}
