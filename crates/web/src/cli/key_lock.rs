//! The master key stays what it is while somebody counts on it.

use std::fs::{File, TryLockError};

use ideavault_db::RotationLock;

use super::CommandError;
use crate::config::DataOptions;
use crate::data::{self, Opened};

/// Locked by whoever has a [`KeyLock`]; the lock goes with the process.
const FILE: &str = "rotation.lock";

/// Whoever has this, has it alone: the keys in the data folder and the one of the
/// database are replaced by nobody else.
#[must_use]
pub(super) struct KeyLock {
    _here: File,
    /// Also on other machines, should they share the keys.
    _anywhere: RotationLock,
}

impl KeyLock {
    /// Opens the data with the lock.
    ///
    /// # Errors
    /// [`CommandError::KeysInUse`] when another process has the lock.
    pub(super) fn open(options: &DataOptions) -> Result<(Self, Opened), CommandError> {
        // First, so that no lock is made where there is no vault.
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
        // Only now: whoever had the lock may have replaced the keys.
        Ok((lock, data::open_existing(options)?))
    }
}
