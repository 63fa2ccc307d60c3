//! `ideavault database copy`.

use std::io::Write;
use std::time::Instant;

use clap::{Args, Subcommand};
use ideavault_db::{CopyProgress, SqlDatabase};

use super::evidence::{CheckOptions, EvidenceCommand, Progress, evidence};
use super::manifest::{DatabaseKind, kind_of};
use super::{CommandError, write};
use crate::config::{DataOptions, SecretFile};
use crate::data::{self, existing_files_of};
use crate::storage_identity::{self, StorageIdentityError};

/// Commands about the database.
#[derive(Subcommand, Clone, Debug)]
pub enum DatabaseCommand {
    /// Copy the database of a stopped vault to an empty one of the other kind, compare every row, and
    /// say how to go on. The files stay where they are.
    Copy(CopyDatabaseOptions),
}

/// Options of `ideavault database copy`.
#[derive(Args, Clone, Debug)]
pub struct CopyDatabaseOptions {
    /// postgres://... or sqlite://PATH: an empty database, or a file that does not exist.
    #[arg(
        long,
        env = "IDEAVAULT_COPY_TO",
        hide_env_values = true,
        required_unless_present = "to_file"
    )]
    pub to: Option<String>,

    /// File with that address, which has its password.
    #[arg(long, env = "IDEAVAULT_COPY_TO_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "to")]
    pub to_file: Option<SecretFile>,

    /// Location of the vault, as the servers have it.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Copies the database, gives the files to the copy, checks its evidence, and reports it on `out`;
/// on `progress`, how far it is.
///
/// # Errors
/// [`CommandError`]. Before the copy is complete, nothing has changed.
pub fn database(
    command: &DatabaseCommand,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), CommandError> {
    let DatabaseCommand::Copy(options) = command;
    let target = options.target();
    let files = {
        let opened = data::open_existing(&options.data)?;
        let files = existing_files_of(&options.data)?;
        if !storage_identity::check(&opened.database, files.as_ref())? {
            return Err(StorageIdentityError::Unmarked(files.name()).into());
        }
        files
    };
    // A new id, so that no server goes on with the original and the same files.
    let id = storage_identity::new_id()?;
    let (from, to) = (options.data.database_url(), target.database_url());
    let copy = {
        let mut progress = Progress::new(progress, Instant::now());
        SqlDatabase::copy(&from, &to, Some(id), &mut |done| {
            progress.show(Instant::now(), || match done {
                CopyProgress::Copied(rows) => format!("copied {rows} rows"),
                CopyProgress::Compared(rows) => format!("compared {rows} rows"),
            });
        })?
    };
    storage_identity::mark(files.as_ref(), id)
        .map_err(|error| CommandError::FilesNotBound(Box::new(error.into())))?;
    let text = format!(
        "{} rows of {} tables were copied, and each is as in the original. The files stay in the {}, \
         which belongs to the copy from now on: no server starts with the original any more.\n",
        copy.rows,
        copy.tables,
        files.name()
    );
    write(out, &text)?;
    // Nobody could write to the original until here.
    drop(copy);
    let check = CheckOptions {
        json: false,
        data: target,
    };
    let checked = evidence(&EvidenceCommand::Check(check), out, progress);
    let (setting, original) = match kind_of(&to) {
        DatabaseKind::Postgres => (
            "set IDEAVAULT_DATABASE_URL to the address of --to",
            "the file of the original, with its -wal and -shm if there are any",
        ),
        DatabaseKind::Sqlite => (
            "set IDEAVAULT_DATABASE_URL to the address of --to, or remove it if that is \
             ideavault.sqlite in the data folder",
            "the original database",
        ),
    };
    let text = format!(
        "To go on: {setting}, start the servers, run `ideavault doctor`, and make a backup. Then \
         remove {original}. To go back instead: leave the setting as it is, and run `ideavault \
         adopt-files`.\n"
    );
    write(out, &text)?;
    checked
}

impl CopyDatabaseOptions {
    /// Returns the location of the vault with the database that it is copied to.
    fn target(&self) -> DataOptions {
        let file = self.to_file.as_ref().map(SecretFile::reveal);
        DataOptions {
            database_url: self.to.clone().or(file.map(str::to_owned)),
            database_url_file: None,
            ..self.data.clone()
        }
    }
}
