//! What the operator calls the vault, and how to reach the operator.
//! Invariant: a name is one short line without control characters. It is not escaped:
//! whoever writes it into a document does that.

use std::fmt;

use thiserror::Error;

use crate::text::{is_control, is_visible};

/// Longest name of a vault, in characters.
pub const VAULT_NAME_MAX: usize = 60;

/// A text that is no name of a vault.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the name of the vault must have 1 to {VAULT_NAME_MAX} characters and no control characters"
)]
pub struct BadVaultName;

/// The name of a vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultName(String);

impl VaultName {
    /// The name of a vault whose operator has given it none.
    pub const DEFAULT: &'static str = "IdeaVault";

    /// Parses a name that the operator has chosen.
    ///
    /// # Errors
    /// [`BadVaultName`].
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

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the one that every vault has at first.
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

/// Who runs the vault, as its users see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operator {
    /// What the vault is called.
    pub vault: VaultName,
    /// A mail address or an https address; none where people are to use the mailboxes
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
    fn a_vault_is_called_by_the_name_of_the_product_at_first() {
        assert_eq!(VaultName::default().as_str(), "IdeaVault");
        assert!(VaultName::default().is_default());
        assert!(!VaultName::parse("Acme").unwrap().is_default());
    }
}
