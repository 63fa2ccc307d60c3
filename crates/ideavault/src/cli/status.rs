//! `ideavault status`.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use ideavault_application::event_log::{EventLog, EventLogError};
use ideavault_application::status::Status;
use ideavault_db::{SchemaState, SqlDatabase};
use ideavault_domain::evidence::AnchorService;
use ideavault_files::CheckpointFile;

use super::{CommandError, deps_on, write};
use crate::config::{AnchorOptions, DataOptions};
use crate::data;
use crate::platform::SystemClock;
use crate::status::{Recording, VaultStatus};

/// Options of `ideavault status`.
#[derive(Args, Clone, Debug)]
pub struct StatusOptions {
    /// Print JSON for programs.
    #[arg(long)]
    pub json: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,

    /// The outsiders of the server.
    #[command(flatten)]
    pub anchors: AnchorOptions,
}

/// Prints the state of the vault to `out`. Changes nothing; does not migrate.
pub fn status(options: &StatusOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_unchanged(&options.data)?);
    let witnesses = options.anchors.services()?;
    let status = vault_status(&database, &options.data, witnesses)?;
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

/// Reads the state of the vault. Changes nothing.
pub(super) fn vault_status(
    database: &Arc<SqlDatabase>,
    options: &DataOptions,
    witnesses: Vec<AnchorService>,
) -> Result<VaultStatus, CommandError> {
    let state = database.state()?;
    let (report, recording) = match state.schema {
        SchemaState::Current | SchemaState::Newer(_) => {
            let recording = recording(database, options)?;
            let report = Status::new(Arc::clone(database), Arc::new(SystemClock)).report()?;
            (Some(report), Some(recording))
        }
        SchemaState::Pending(_) | SchemaState::Unknown(_) => (None, None),
    };
    Ok(VaultStatus::new(
        state,
        report,
        recording,
        witnesses,
        &options.data_dir,
    ))
}

/// Compares the log with the checkpoint that the server of this data folder has kept.
fn recording(
    database: &Arc<SqlDatabase>,
    options: &DataOptions,
) -> Result<Recording, CommandError> {
    let log = EventLog::new(
        deps_on(Arc::clone(database)),
        Arc::new(CheckpointFile::new(&options.data_dir)),
        // Only new logs need the host.
        String::new(),
    );
    match log.status() {
        Ok(status) => Ok(Recording::of(status.stopped)),
        Err(EventLogError::NoLog) => Ok(Recording::NotBegun),
        Err(error) => Err(error.into()),
    }
}
