//! A lock against changes of the master key.

use std::fs::{File, TryLockError};

use ideavault_db::RotationLock;

use super::CommandError;
use crate::config::DataOptions;
use crate::data::{self, OpenVault};

/// Lock file of a [`KeyLock`]; the lock ends with the process.
const FILE: &str = "rotation.lock";

/// Exclusive right to replace the keys in the data folder and the master key of the
/// database.
#[must_use]
pub(super) struct KeyLock {
    _here: File,
    /// Lock in the database, against processes on other machines.
    _anywhere: RotationLock,
}

impl KeyLock {
    /// Opens the vault under the lock.
    ///
    /// # Errors
    /// [`CommandError::KeysInUse`] if another process holds the lock.
    pub(super) fn open(options: &DataOptions) -> Result<(Self, OpenVault), CommandError> {
        // Checked first, so that no lock file is created where there is no vault.
        let found = data::open_existing(options)?;
        let path = options.data_dir.join(FILE);
        let here = File::create(&path).map_err(CommandError::at(&path))?;
        here.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => CommandError::KeysInUse,
            TryLockError::Error(error) => CommandError::at(&path)(error),
        })?;
        let anywhere = found.database.lock_rotation()?;
        let lock = Self {
            _here: here,
            _anywhere: anywhere.ok_or(CommandError::KeysInUse)?,
        };
        // Read under the lock: its former holder may have replaced the keys.
        Ok((lock, data::open_existing(options)?))
    }
}
