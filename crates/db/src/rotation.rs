//! One rotation of the master key at a time.

use ideavault_domain::ports::DatabaseError;

use crate::database::{Backend, SqlDatabase};
use crate::postgres;

/// The right to rotate the master key, as long as this is kept.
#[must_use]
pub struct RotationLock {
    _session: Option<postgres::RotationLock>,
}

impl SqlDatabase {
    /// Asks for the right to rotate the master key. On Postgres one process has it,
    /// on whichever machine, and loses it when it ends, however that happens: for
    /// all others the answer is `None`. On SQLite everybody has it, since a file is
    /// used on one machine, where processes can lock the key itself.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn lock_rotation(&self) -> Result<Option<RotationLock>, DatabaseError> {
        let tx = match &self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(postgres) => match postgres.lock_rotation()? {
                None => return Ok(None),
                some => some,
            },
        };
        Ok(Some(RotationLock { _session: tx }))
    }
}
