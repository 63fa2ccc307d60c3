//! Rotation of the master key.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::keys::{DamagedValue, MasterKeyId};
use ideavault_domain::ports::{Clock, Database, DatabaseError, Encryption, PortError};
use thiserror::Error;

/// Values rewrapped per transaction; other writers get their turn in between.
const BATCH: usize = 500;
/// Most values that are taken for damaged.
const DAMAGED_MAX: usize = 500;

/// The reason why a rotation stopped. Nothing is lost: start it again, and it continues.
#[derive(Debug, Error)]
pub enum RotationError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A key is missing.
    #[error(transparent)]
    Port(#[from] PortError),
    /// More than a few values cannot be decrypted.
    #[error(
        "more than {DAMAGED_MAX} values cannot be decrypted: a key that they need is probably \
         missing"
    )]
    Damaged,
}

/// The result of a rotation.
#[derive(Debug, PartialEq, Eq)]
pub struct Rotated {
    /// Number of values that were rewrapped.
    pub rewrapped: usize,
    /// Values that none of the keys decrypts.
    pub damaged: Vec<DamagedValue>,
}

/// Master key rotation.
pub struct Rotation<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    encryption: Arc<dyn Encryption>,
}

impl<S: Database> Rotation<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>, encryption: Arc<dyn Encryption>) -> Self {
        Self {
            database,
            clock,
            encryption,
        }
    }

    /// Makes `to` the current master key, also for running servers, and rewraps
    /// everything that earlier keys encrypted. Afterwards the earlier keys are no longer
    /// needed. Values that cannot be decrypted stay as they are.
    pub fn rotate(&self, to: MasterKeyId) -> Result<Rotated, RotationError> {
        // From here on, no value encrypted with another key is added.
        let entry = AuditEntry {
            at: self.clock.now(),
            kind: AuditKind::KeyRotated,
            account: None,
            subject: None,
            origin: None,
        };
        self.database.write(|tx| {
            let present = tx.master_keys().init_master_key(to)?;
            // Rewrapping needs the earlier key.
            self.encryption.activate(present)?;
            self.encryption.activate(to)?;
            if present != to {
                tx.master_keys().replace_master_key(to)?;
                // A continued rotation was already recorded.
                tx.audit().record(&entry)?;
            }
            Ok::<_, RotationError>(())
        })?;
        let (mut processed, mut damaged) = (0, Vec::new());
        loop {
            let (batch, found) = self.database.write(|tx| {
                let mut found = damaged.clone();
                let batch = tx.master_keys().rewrap_batch(BATCH, &mut found)?;
                Ok::<_, RotationError>((batch, found))
            })?;
            damaged = found;
            if damaged.len() > DAMAGED_MAX {
                return Err(RotationError::Damaged);
            }
            if batch == 0 {
                return Ok(Rotated {
                    rewrapped: processed - damaged.len(),
                    damaged,
                });
            }
            processed += batch;
        }
    }
}
