//! The lock that allows one rotation of the master key at a time.

use ideavault_domain::ports::DatabaseError;

use crate::database::{Backend, SqlDatabase};
use crate::postgres;

/// The exclusive right to rotate the master key, until dropped.
#[must_use]
pub struct RotationLock {
    _session: Option<postgres::RotationLock>,
}

impl SqlDatabase {
    /// Tries to take the lock for rotating the master key. On Postgres one process
    /// on any machine holds it, and releases it when it ends, however that happens;
    /// for all others this returns `None`. On SQLite it always succeeds: the file is
    /// used on one machine, where processes can lock the key itself.
    pub fn lock_rotation(&self) -> Result<Option<RotationLock>, DatabaseError> {
        let lock = match &self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(postgres) => match postgres.lock_rotation()? {
                None => return Ok(None),
                some => some,
            },
        };
        Ok(Some(RotationLock { _session: lock }))
    }
}
