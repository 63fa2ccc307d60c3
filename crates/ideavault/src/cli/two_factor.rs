//! `ideavault second-factor`.

use std::io::Write;
use std::sync::Arc;

use clap::{Args, Subcommand};
use ideavault_application::two_factors::TwoFactorRemoval;

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data;
use crate::platform::SystemClock;

/// Commands about two-step sign-in.
#[derive(Subcommand, Clone, Debug)]
pub enum TwoFactorCommand {
    /// Turn it off for somebody who has lost both the app and the recovery codes. Verify the
    /// person's identity first.
    Remove(RemovalOptions),
}

/// Options of `ideavault second-factor remove`.
#[derive(Args, Clone, Debug)]
pub struct RemovalOptions {
    /// Email address of the account.
    pub email: String,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Turns two-step sign-in off for an account and reports it on `out`.
pub fn two_factor(command: &TwoFactorCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    let TwoFactorCommand::Remove(options) = command;
    let database = Arc::new(data::open_existing(&options.data)?.database);
    let email = TwoFactorRemoval::new(database, Arc::new(SystemClock)).remove(&options.email)?;
    let text = format!("{email} signs in with the password alone from now on.\n");
    write(out, &text)
}
