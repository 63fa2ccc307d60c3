//! Commands for whoever runs the server. They work on the database directly,
//! whether or not a server runs on it.

mod adopt_files;
mod audit;
mod backup;
mod integrity;
mod key_lock;
mod manifest;
mod restore;
mod rotation;
mod status;
mod table;
mod two_factor;
mod user;
mod user_quota;

pub use adopt_files::{AdoptFilesOptions, adopt_files};
pub use audit::{AuditOptions, audit};
pub use backup::{BackupOptions, back_up};
pub use integrity::Differences;
pub use manifest::LostFiles;
pub use restore::{RestoreOptions, restore};
pub use rotation::rotate_key;
pub use status::{StatusOptions, status};
pub use two_factor::{SecondFactorCommand, two_factor};
pub use user::{UserCommand, user};

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use ideavault_application::administration::AdministrationError;
use ideavault_application::audit::AuditError;
use ideavault_application::invitations::{InvitationError, Invitations};
use ideavault_application::rotation::RotationError;
use ideavault_application::storage::QuotaError;
use ideavault_application::two_factors::RemovalError;
use ideavault_application::verification::VerificationError;
use ideavault_application::waitlist::{Waitlist, WaitlistError};
use ideavault_db::BackupError;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::ports::{DatabaseError, PortError, StorageError};
use thiserror::Error;

use crate::config::DataOptions;
use crate::csv;
use crate::data::{self, DataError};
use crate::keys::MasterKeyError;
use crate::platform::SystemClock;
use crate::storage_identity::StorageIdentityError;

/// What to do with the waitlist.
#[derive(Subcommand, Clone, Debug)]
pub enum WaitlistCommand {
    /// Print a table for reading.
    List(DataOptions),
    /// Print CSV for spreadsheets: name, email, profession, joinedAt.
    Export(DataOptions),
}

/// Options of `ideavault invite`.
#[derive(Args, Clone, Debug)]
pub struct InviteOptions {
    /// Who may register while registration is by invitation.
    pub email: String,

    /// Where to note it.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Why a command failed.
#[derive(Debug, Error)]
pub enum CommandError {
    /// There is no database to work on.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The waitlist cannot be read.
    #[error("the waitlist cannot be read")]
    Waitlist(#[from] WaitlistError),
    /// The audit trail cannot be read.
    #[error("the audit trail cannot be read")]
    Audit(#[from] AuditError),
    /// Nobody was invited.
    #[error(transparent)]
    Invitation(#[from] InvitationError),
    /// Nothing was done to an account.
    #[error(transparent)]
    Account(#[from] AdministrationError),
    /// Whoever asked has not said that it is meant.
    #[error("nothing was deleted: enter the address when asked, or add --yes")]
    Unconfirmed,
    /// Nobody's second factor was removed.
    #[error(transparent)]
    TwoFactor(#[from] RemovalError),
    /// No quota was set.
    #[error(transparent)]
    Quota(#[from] QuotaError),
    /// The master key was not replaced.
    #[error("the master key was not replaced; try again to go on")]
    Rotation(#[from] RotationError),
    /// Two at once could each give up the key that the other needs.
    #[error("another rotate-key or backup is at work here: try again when it has ended")]
    KeysInUse,
    /// Somebody else has replaced the master key meanwhile.
    #[error("the master key was replaced by yet another one, and all keys are kept; try again")]
    Overtaken,
    /// The database does not answer.
    #[error("the database cannot be used")]
    Database(#[from] DatabaseError),
    /// The keys cannot be read or written.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// There is no key to change to.
    #[error(
        "IDEAVAULT_SECRET_KEY has no new key: put one before the present key, with a comma \
         between them, restart all servers with that, and try again"
    )]
    NoNewKey,
    /// A folder that has to be new is there.
    #[error("{} is not empty", .0.display())]
    Exists(PathBuf),
    /// A file of a backup cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The database was not copied.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// A stored file was not copied.
    #[error("a stored file was not copied")]
    Storage(#[from] StorageError),
    /// The files folder is not the one of the database.
    #[error(transparent)]
    StorageIdentity(#[from] StorageIdentityError),
    /// Sealing does not work.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The backup was made, and some files are not in it.
    #[error(
        "these files could not be copied: the backup is made and can be restored, without \
         them:{0}"
    )]
    LostFiles(LostFiles),
    /// The backup is as it was made, and some files are not in it.
    #[error("these files were lost before the backup was made, and are not in it:{0}")]
    WithoutFiles(LostFiles),
    /// Files went faster than they could be copied.
    #[error("files were deleted again and again while they were copied; please try again")]
    Unsteady,
    /// The backup has another layout.
    #[error("the backup has format {0}, which this version does not know")]
    Format(u32),
    /// The backup is of another kind of database.
    #[error("the backup is of another kind of database than the one to restore into")]
    OtherDatabase,
    /// The key of the backup is not here.
    #[error(
        "the backup is sealed with a secret key that is not here (its id is {0}): put that key \
         into the data folder, as secret.key, or into IDEAVAULT_SECRET_KEY first. After \
         rotate-key, a former key is kept as secret.key.{0}"
    )]
    KeyOfBackup(String),
    /// Who wrote the manifest of the backup does not have the key.
    #[error(
        "backup.json was not written with this vault's secret key, or was changed since: do not \
         trust this backup"
    )]
    Forged,
    /// Something of the backup is not as it was made.
    #[error("the backup was changed after it was made:{0}")]
    Changed(Differences),
    /// What was restored has not as many files as the backup.
    #[error("the restored database does not name the files of the backup")]
    Incomplete,
    /// What was restored is not what was saved.
    #[error("what was restored is not what was saved")]
    Verification(#[from] VerificationError),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// What went wrong with a file.
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

/// Prints the waitlist to `out`.
///
/// # Errors
/// [`CommandError`].
pub fn waitlist(command: &WaitlistCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    let (options, format): (_, fn(&Rows) -> String) = match command {
        WaitlistCommand::List(options) => (options, |rows| {
            table::format(rows, "Nobody is on the waitlist.")
        }),
        WaitlistCommand::Export(options) => (options, |rows| csv::format(rows)),
    };
    let store = Arc::new(data::open_existing(options)?.database);
    let entries = Waitlist::new(store, Arc::new(SystemClock)).list()?;
    write(out, &format(&rows(&entries)))
}

/// Invites an address to register and says so on `out`.
///
/// # Errors
/// [`CommandError`].
pub fn invite(options: &InviteOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let store = Arc::new(data::open_existing(&options.data)?.database);
    let email = Invitations::new(store, Arc::new(SystemClock)).invite(&options.email)?;
    let text = format!("{email} is invited. A running server sends the mail.\n");
    write(out, &text)
}

/// A heading and what stands below it.
type Rows = Vec<Vec<String>>;

fn rows(entries: &[WaitlistEntry]) -> Rows {
    let heading = ["name", "email", "profession", "joinedAt"]
        .map(str::to_owned)
        .to_vec();
    let rows = entries.iter().map(|entry| {
        vec![
            entry.name.to_string(),
            entry.email.to_string(),
            entry.profession.to_string(),
            entry.joined_at.to_rfc3339_opts(SecondsFormat::Secs, true),
        ]
    });
    std::iter::once(heading).chain(rows).collect()
}

/// A reader that has seen enough, such as `head`, is no failure.
fn write(out: &mut dyn Write, text: &str) -> Result<(), CommandError> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
