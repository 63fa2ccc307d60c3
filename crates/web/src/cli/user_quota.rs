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
    /// The address of the account.
    pub email: String,

    /// What it may store, such as 500MB; `default` for what the server allows
    /// everybody.
    #[arg(value_parser = parse_quota)]
    pub size: Quota,

    /// Where the account is.
    #[command(flatten)]
    pub data: DataOptions,
}

/// A quota of an account alone, or the server's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// The server's default.
    Default,
    /// That much.
    Size(ByteSize),
}

fn parse_quota(text: &str) -> Result<Quota, NotASize> {
    if text.eq_ignore_ascii_case("default") {
        return Ok(Quota::Default);
    }
    text.parse().map(Quota::Size)
}

/// Sets what an account may store and says so on `out`.
///
/// # Errors
/// [`CommandError`].
pub fn set_quota(options: &QuotaOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let store = Arc::new(data::open_existing(&options.data)?.database);
    let (quota, words) = match options.size {
        Quota::Default => (
            None,
            "as much as the server allows every account".to_owned(),
        ),
        Quota::Size(size) => (Some(size), size.to_string()),
    };
    let (email, used) = QuotaSetting::new(store).set(&options.email, quota)?;
    let used = ByteSize::from_bytes(used);
    let text = format!("{email} may store {words}, and stores {used} now.\n");
    write(out, &text)
}
