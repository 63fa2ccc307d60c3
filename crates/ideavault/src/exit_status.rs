//! The exit statuses of `ideavault serve`, which tell systemd whether another start may succeed.
//! The numbers are those of sysexits.h.

use ideavault_db::ConnectError;
use ideavault_domain::ports::DatabaseError;

use crate::advice::is_refused_by_postgres;
use crate::data::DataError;
use crate::keys::MasterKeyError;
use crate::server::StartError;
use crate::storage_identity::StorageIdentityError;

/// A setting, or what it names, cannot work: somebody has to change it.
pub const EXIT_SETTING: u8 = 78;
/// The database or the file storage is away, and may come back.
pub const EXIT_UNAVAILABLE: u8 = 75;
/// Everything else.
const EXIT_FAILURE: u8 = 1;

impl StartError {
    /// Returns the exit status of the program.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Config(_) | Self::Mail(_) => EXIT_SETTING,
            Self::Data(error) => of_data(error),
            Self::StorageIdentity(error) => match error {
                StorageIdentityError::Unmarked(_)
                | StorageIdentityError::Other(_)
                | StorageIdentityError::Taken(_) => EXIT_SETTING,
                StorageIdentityError::Storage { .. } => EXIT_UNAVAILABLE,
                StorageIdentityError::Database(error) => of_database(error),
                StorageIdentityError::Missing { .. } | StorageIdentityError::Random(_) => {
                    EXIT_FAILURE
                }
            },
            Self::Listen { source, .. } => match source.kind() {
                std::io::ErrorKind::PermissionDenied => EXIT_SETTING,
                // A former server may still be stopping, or the network may come up.
                _ => EXIT_FAILURE,
            },
            Self::Wiring(_) | Self::EventLog(_) | Self::Shells(_) | Self::Signals(_) => {
                EXIT_FAILURE
            }
        }
    }
}

fn of_data(error: &DataError) -> u8 {
    match error {
        DataError::NoVault(_)
        | DataError::KeyMissing(_)
        | DataError::Foreign { .. }
        | DataError::DatabaseMissing(_)
        | DataError::Folder { .. }
        | DataError::OtherKey
        | DataError::Bucket(_)
        | DataError::MasterKey(MasterKeyError::Unusable { .. } | MasterKeyError::File { .. }) => {
            EXIT_SETTING
        }
        DataError::Files { .. } => EXIT_UNAVAILABLE,
        DataError::Connect(error) => match error {
            // A copy of the vault may be being made.
            ConnectError::Sqlite { source, .. } if source.to_string().contains("is locked") => {
                EXIT_UNAVAILABLE
            }
            ConnectError::UnknownAddress
            | ConnectError::SharedConnections
            | ConnectError::File { .. }
            | ConnectError::Sqlite { .. } => EXIT_SETTING,
            ConnectError::Postgres(_) | ConnectError::Unreadable(_) => {
                match is_refused_by_postgres(error) {
                    true => EXIT_SETTING,
                    false => EXIT_UNAVAILABLE,
                }
            }
        },
        DataError::Migrate(error) | DataError::Read(error) | DataError::CookieKey(error) => {
            of_database(error)
        }
        DataError::MasterKey(MasterKeyError::Random(_))
        | DataError::Key(_)
        | DataError::NoKey(_) => EXIT_FAILURE,
    }
}

fn of_database(error: &DatabaseError) -> u8 {
    match error {
        DatabaseError::Unavailable { .. } => EXIT_UNAVAILABLE,
        _ => EXIT_FAILURE,
    }
}
