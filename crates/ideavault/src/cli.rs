//! Commands for the operator.
//!
//! Invariant: they work on the database directly, whether or not a server runs on it.

mod adopt_files;
mod audit;
mod backup;
mod database;
mod doctor;
mod erase_person;
mod evidence;
mod health;
mod integrity;
mod key_lock;
mod mails;
mod manifest;
mod restore;
mod rotation;
mod status;
mod storage;
mod table;
mod two_factor;
mod user;
mod user_quota;
mod verify;

pub use adopt_files::{AdoptFilesOptions, adopt_files};
pub use audit::{AuditOptions, audit};
pub use backup::{BackupOptions, back_up};
pub use database::{CopyDatabaseOptions, DatabaseCommand, database};
pub use doctor::{DoctorOptions, become_owner, doctor};
pub use erase_person::{ErasePersonOptions, erase_person};
pub use evidence::{CheckOptions, EvidenceCommand, ExportOptions, ResumeOptions, evidence};
pub use health::{HealthError, HealthOptions, health};
pub use integrity::Differences;
pub use mails::{MailsOptions, mails};
pub use manifest::LostFiles;
pub use restore::{RestoreOptions, restore};
pub use rotation::{RotateOptions, rotate_key};
pub use status::{StatusOptions, status};
pub use storage::{CopyOptions, Destination, StorageCommand, storage};
pub use two_factor::{TwoFactorCommand, two_factor};
pub use user::{UserCommand, user};
pub use verify::{EXIT_USAGE, VerifyError, VerifyOptions, verify};

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use ideavault_application::administration::AdministrationError;
use ideavault_application::audit::AuditError;
use ideavault_application::deps::Deps;
use ideavault_application::erasure::ErasureError;
use ideavault_application::event_log::EventLogError;
use ideavault_application::evidence::BundleError;
use ideavault_application::invitations::{InvitationError, Invitations};
use ideavault_application::rate_limits::RateLimits;
use ideavault_application::rotation::RotationError;
use ideavault_application::storage::QuotaError;
use ideavault_application::two_factors::RemovalError;
use ideavault_application::waitlist::{Waitlist, WaitlistError};
use ideavault_crypto::SystemRandom;
use ideavault_db::{BackupError, CopyError, SqlDatabase};
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::ports::{Clock, DatabaseError, PortError, StorageError};
use ideavault_web::csv;
use thiserror::Error;

use crate::config::{ConfigError, DataOptions};
use crate::data::{self, DataError};
use crate::keys::MasterKeyError;
use crate::platform::SystemClock;
use crate::storage_identity::StorageIdentityError;

/// Commands about the waitlist.
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
    /// Address of the person who may register.
    pub email: String,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Reasons why a command failed.
#[derive(Debug, Error)]
pub enum CommandError {
    /// A setting is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The vault cannot be opened.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The waitlist cannot be read.
    #[error("the waitlist cannot be read")]
    Waitlist(#[from] WaitlistError),
    /// The audit trail cannot be read.
    #[error("the audit trail cannot be read")]
    Audit(#[from] AuditError),
    /// The invitation was refused.
    #[error(transparent)]
    Invitation(#[from] InvitationError),
    /// The change to an account was refused.
    #[error(transparent)]
    Account(#[from] AdministrationError),
    /// The person was not erased.
    #[error(transparent)]
    Erasure(#[from] ErasureError),
    /// The deletion was not confirmed.
    #[error("nothing was deleted: enter the address when asked, or add --yes")]
    Unconfirmed,
    /// The beginning of a new log was not confirmed.
    #[error("no log was begun: enter resume when asked, or add --yes")]
    NotResumed,
    /// Two-step sign-in could not be removed.
    #[error(transparent)]
    TwoFactor(#[from] RemovalError),
    /// The quota could not be set.
    #[error(transparent)]
    Quota(#[from] QuotaError),
    /// The key rotation failed.
    #[error("the master key was not replaced; try again to go on")]
    Rotation(#[from] RotationError),
    /// Another rotation or backup is running, which needs the keys as they are.
    #[error("another rotate-key or backup is at work here: try again when it has ended")]
    KeysInUse,
    /// Another process has replaced the master key meanwhile.
    #[error("the master key was replaced by yet another one, and all keys are kept; try again")]
    Overtaken,
    /// The master key was replaced, but not for the values that no key decrypts.
    #[error(
        "these values are damaged, and no key opens them, neither the former nor the new one: {0}"
    )]
    Undecryptable(String),
    /// The database does not answer.
    #[error("the database cannot be used")]
    Database(#[from] DatabaseError),
    /// The keys cannot be read or written.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// The rotation has no new key.
    #[error(
        "IDEAVAULT_SECRET_KEY has no new key: put one before the present key, with a comma \
         between them, restart all servers with that, and try again"
    )]
    NoNewKey,
    /// A file or folder that has to be new exists already.
    #[error("{} already exists: choose a new {kind}", path.display())]
    Exists {
        /// Its path.
        path: PathBuf,
        /// The noun for the advice: `folder` or `name`.
        kind: &'static str,
    },
    /// A folder holds no backup.
    #[error(
        "{} is not a backup, for it has no backup.json: give the folder that `ideavault backup` \
         made",
        .0.display()
    )]
    NotABackup(PathBuf),
    /// The storage that files are to be restored to has some already.
    #[error(
        "the {0} is not empty: restore into a new data folder, and in a bucket into a new prefix"
    )]
    HasFiles(String),
    /// A file of a backup cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// The copy of the database failed.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The database was not copied to one of the other kind.
    #[error("the database was not copied")]
    CopyDatabase(#[from] CopyError),
    /// The copy of the database is complete, but the files still belong to the original.
    #[error(
        "the copy is complete, but the files do not belong to it yet: run `ideavault adopt-files` \
         with IDEAVAULT_DATABASE_URL set to the address of --to"
    )]
    FilesNotBound(#[source] Box<CommandError>),
    /// The copy of a stored file failed.
    #[error("a stored file was not copied")]
    Storage(#[from] StorageError),
    /// The file storage is not the one of the database.
    #[error(transparent)]
    StorageIdentity(#[from] StorageIdentityError),
    /// Encryption does not work.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The log of events cannot be read or continued.
    #[error(transparent)]
    EventLog(#[from] EventLogError),
    /// The evidence of an idea cannot be written.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The evidence is not as it was recorded.
    #[error("{0} differences: something is not as it was recorded")]
    EvidenceDiffers(usize),
    /// The backup was made without files that are lost.
    #[error(
        "these files could not be copied: the backup is made and can be restored, without \
         them:{0}"
    )]
    LostFiles(LostFiles),
    /// Files were not copied to another storage, because they are lost.
    #[error("these files could not be copied, all others were:{0}")]
    NotCopied(LostFiles),
    /// Files are to be copied to where they are.
    #[error("the files are in the {0} already")]
    SameStorage(String),
    /// The backup is unchanged, and was made without files that were lost.
    #[error("these files were lost before the backup was made, and are not in it:{0}")]
    WithoutFiles(LostFiles),
    /// Files were deleted faster than they could be copied.
    #[error("files were deleted again and again while they were copied; please try again")]
    Unsteady,
    /// The format of the backup is unknown.
    #[error("the backup has format {0}, which this version does not know")]
    Format(u32),
    /// The backup is from the other kind of database.
    #[error("the backup is of another kind of database than the one to restore into")]
    OtherDatabase,
    /// The key of the backup is not configured.
    #[error(
        "the backup is encrypted with a secret key that is not here (its id is {0}): put that key \
         into the data folder, as secret.key, or into IDEAVAULT_SECRET_KEY first. After \
         rotate-key, a former key is kept as secret.key.{0}"
    )]
    KeyOfBackup(String),
    /// The manifest was not authenticated by the vault's key.
    #[error(
        "backup.json was not written with this vault's secret key, or was changed since: do not \
         trust this backup"
    )]
    Forged,
    /// Parts of the backup differ from its manifest.
    #[error("the backup was changed after it was made:{0}")]
    Changed(Differences),
    /// The restored database does not name the files of the backup.
    #[error("the restored database does not name the files of the backup")]
    Incomplete,
    /// Restored content cannot be read, or does not match its recorded digest.
    #[error(
        "all parts of the backup are restored, but these are damaged, and were when it was \
         made:{0}\nEverything else is as it was saved; an older backup may still have them"
    )]
    Damaged(Listed),
    /// Values that may name the person cannot be read.
    #[error(
        "these are damaged, so that nobody knows whether they name the person:{0}\nRestore them \
         from a backup, then erase the person again"
    )]
    PersonUnknown(Listed),
    /// A bundle lacks what is lost or damaged.
    #[error(
        "the bundle is written, without these, which are lost or damaged:{0}\nRestore them from a \
         backup, then export it again"
    )]
    Lacking(Listed),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

/// Lines of a message.
#[derive(Debug)]
pub struct Listed(Vec<String>);

impl Listed {
    fn of(lines: impl IntoIterator<Item = impl fmt::Display>) -> Self {
        Self(lines.into_iter().map(|line| line.to_string()).collect())
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl CommandError {
    /// Returns the exit status of the program: 3 for a backup that lacks nothing but lost files,
    /// else 1.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::LostFiles(_) | Self::WithoutFiles(_) => 3,
            _ => 1,
        }
    }

    /// Wraps an I/O error of the file at `path`.
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

/// Prints the waitlist to `out`.
pub fn waitlist(command: &WaitlistCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    let (options, format): (_, fn(&Rows) -> String) = match command {
        WaitlistCommand::List(options) => (options, |rows| {
            table::format(rows, "Nobody is on the waitlist.")
        }),
        WaitlistCommand::Export(options) => (options, |rows| csv::format(rows)),
    };
    let database = Arc::new(data::open_existing(options)?.database);
    let entries = Waitlist::new(database, Arc::new(SystemClock)).list()?;
    write(out, &format(&rows(&entries)))
}

/// Invites an address to register and reports it on `out`.
pub fn invite(options: &InviteOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_existing(&options.data)?.database);
    let email = Invitations::new(database, Arc::new(SystemClock)).invite(&options.email)?;
    let text = format!("{email} is invited. A running server sends the mail.\n");
    write(out, &text)
}

/// Returns what the use cases of a command depend on.
fn deps_on(database: Arc<SqlDatabase>) -> Deps<SqlDatabase> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    Deps {
        limits: Arc::new(RateLimits::off(Arc::clone(&database), Arc::clone(&clock))),
        database,
        clock,
        random: Arc::new(SystemRandom),
    }
}

/// Formats a number and its noun, such as `1 row` or `2 rows`.
fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A heading and its rows.
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

/// Writes the output. A reader that closed the pipe, such as `head`, is no failure.
fn write(out: &mut dyn Write, text: &str) -> Result<(), CommandError> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
