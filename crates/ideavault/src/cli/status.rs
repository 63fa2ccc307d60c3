//! `ideavault status`.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use ideavault_application::status::Status;
use ideavault_db::SchemaState;

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data;
use crate::platform::SystemClock;
use crate::status::VaultStatus;

/// Options of `ideavault status`.
#[derive(Args, Clone, Debug)]
pub struct StatusOptions {
    /// Print JSON for programs.
    #[arg(long)]
    pub json: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Prints the state of the vault to `out`. Changes nothing; does not migrate.
///
/// # Errors
/// [`CommandError`].
pub fn status(options: &StatusOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_unchanged(&options.data)?);
    let state = database.state()?;
    let report = match state.schema {
        SchemaState::Current => Some(Status::new(database, Arc::new(SystemClock)).report()?),
        SchemaState::Pending(_) | SchemaState::Unknown(_) => None,
    };
    let status = VaultStatus::new(state, report, &options.data.data_dir);
    let text = if options.json {
        format!("{:#}\n", status.json())
    } else {
        let lines = status
            .rows()
            .into_iter()
            .map(|(name, text)| format!("{name:<16}{text}\n"));
        lines.collect()
    };
    write(out, &text)
}
