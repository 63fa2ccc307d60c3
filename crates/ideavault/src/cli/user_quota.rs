//! `ideavault user quota`.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use ideavault_application::storage::QuotaSetting;
use ideavault_domain::quota::{ByteSize, NotASize};

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data;

/// Options of `ideavault user quota`.
#[derive(Args, Clone, Debug)]
pub struct QuotaOptions {
    /// Email address of the account.
    pub email: String,

    /// Storage for it, such as 500MB; `default` for the server's setting.
    #[arg(value_parser = parse_quota)]
    pub size: Quota,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// An account's own quota, or the server's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// The server's default.
    Default,
    /// A quota of its own.
    Size(ByteSize),
}

/// Refuses a number without a unit, which is rarely meant in bytes.
fn parse_quota(text: &str) -> Result<Quota, NotASize> {
    if text.eq_ignore_ascii_case("default") {
        return Ok(Quota::Default);
    }
    let has_unit = text.trim().ends_with(char::is_alphabetic);
    let size: ByteSize = text.parse()?;
    if has_unit || size.bytes() == 0 {
        Ok(Quota::Size(size))
    } else {
        Err(NotASize)
    }
}

/// Sets the quota of an account and reports it on `out`.
pub fn set_quota(options: &QuotaOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_existing(&options.data)?.database);
    let (quota, words) = match options.size {
        Quota::Default => (
            None,
            "as much as the server allows every account".to_owned(),
        ),
        Quota::Size(size) => (Some(size), size.to_string()),
    };
    let (email, used) = QuotaSetting::new(database).set(&options.email, quota)?;
    let used = ByteSize::from_bytes(used);
    let text = format!("{email} may store {words}, and stores {used} now.\n");
    write(out, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_has_a_unit() {
        let size = |bytes| Ok(Quota::Size(ByteSize::from_bytes(bytes)));
        assert_eq!(parse_quota("500MB"), size(500_000_000));
        assert_eq!(parse_quota("0"), size(0));
        assert_eq!(parse_quota("Default"), Ok(Quota::Default));
        for text in ["10", "500 000", "much", ""] {
            assert_eq!(parse_quota(text), Err(NotASize), "{text}");
        }
    }
}
