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

    /// Which vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Prints the state of the vault to `out`. Changes nothing, not even an old schema.
///
/// # Errors
/// [`CommandError`].
pub fn status(options: &StatusOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let store = Arc::new(data::open_unchanged(&options.data)?);
    let database = store.state()?;
    let report = match database.schema {
        SchemaState::Current => Some(Status::new(store, Arc::new(SystemClock)).report()?),
        SchemaState::Pending(_) | SchemaState::Unknown(_) => None,
    };
    let status = VaultStatus::new(database, report, &options.data.data_dir);
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
