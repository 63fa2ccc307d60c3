//! The name of the vault, and the operator's contact. Invariant: a name is one short
//! line without control characters. It is not escaped: code that writes it into a
//! document must do that.

use std::fmt;

use thiserror::Error;

use crate::characters::{is_control, is_visible};

/// Longest name of a vault, in characters.
pub const VAULT_NAME_MAX: usize = 60;

/// Error: not a valid vault name.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the name of the vault must have 1 to {VAULT_NAME_MAX} characters and no control characters"
)]
pub struct BadVaultName;

/// The name of a vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultName(String);

impl VaultName {
    /// The default name.
    pub const DEFAULT: &'static str = "IdeaVault";

    /// Parses a name chosen by the operator.
    pub fn parse(raw: &str) -> Result<Self, BadVaultName> {
        let text = raw.trim();
        let is_name = text.chars().count() <= VAULT_NAME_MAX
            && text.contains(is_visible)
            && !text.chars().any(is_control);
        if is_name {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadVaultName)
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether it is the default name.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == Self::DEFAULT
    }
}

impl Default for VaultName {
    fn default() -> Self {
        Self(Self::DEFAULT.to_owned())
    }
}

impl fmt::Display for VaultName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The operator as users see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operator {
    /// Name of the vault.
    pub vault: VaultName,
    /// An email address or https URL; `None` where people should use the mailboxes
    /// under the host name.
    pub contact: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line() {
        for name in [
            "Acme",
            " Ada & Bob's <Vault> ",
            "Tresor für Ideen",
            &"x".repeat(60),
        ] {
            let parsed = VaultName::parse(name).unwrap();
            assert_eq!(parsed.as_str(), name.trim());
        }
        for name in [
            "",
            "  ",
            "a\nb",
            "a\0",
            "a\u{202e}b",
            "\u{200b}",
            &"x".repeat(61),
        ] {
            assert_eq!(VaultName::parse(name), Err(BadVaultName), "{name:?}");
        }
    }

    #[test]
    fn the_default_name_of_a_vault_is_the_name_of_the_product() {
        assert_eq!(VaultName::default().as_str(), "IdeaVault");
        assert!(VaultName::default().is_default());
        assert!(!VaultName::parse("Acme").unwrap().is_default());
    }
}
