//! Rotation of the master key.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::ports::{Clock, Database, DatabaseError, PortError, Vault};
use thiserror::Error;

/// Values rewrapped per transaction; other writers get their turn in between.
const BATCH: usize = 500;

/// The reason why a rotation stopped. Nothing is lost: start it again, and it continues.
#[derive(Debug, Error)]
pub enum RotationError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A key is missing.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Master key rotation.
pub struct Rotation<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    vault: Arc<dyn Vault>,
}

impl<S: Database> Rotation<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>, vault: Arc<dyn Vault>) -> Self {
        Self {
            database,
            clock,
            vault,
        }
    }

    /// Makes `to` the current master key, also for running servers, and rewraps
    /// everything that earlier keys encrypted. Returns the number of values
    /// rewrapped. Afterwards the earlier keys are no longer needed.
    ///
    /// # Errors
    /// [`RotationError`].
    pub fn rotate(&self, to: MasterKeyId) -> Result<usize, RotationError> {
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
            self.vault.activate(present)?;
            self.vault.activate(to)?;
            if present != to {
                tx.master_keys().replace_master_key(to)?;
                // A continued rotation was already recorded.
                tx.audit().record(&entry)?;
            }
            Ok::<_, RotationError>(())
        })?;
        let mut renewed = 0;
        loop {
            match self
                .database
                .write(|tx| tx.master_keys().rewrap_batch(BATCH))?
            {
                0 => return Ok(renewed),
                batch => renewed += batch,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::evidence::Salt;
    use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
    use mockall::{Sequence, mock};

    use super::*;
    use crate::testing::{MockDatabase, MockTransaction, StoppedClock, at};

    type Answer<T> = Result<T, PortError>;

    mock! {
        Keys {}

        impl Vault for Keys {
            fn master_key(&self) -> Answer<MasterKeyId>;
            fn activate(&self, id: MasterKeyId) -> Answer<()>;
            fn rewrap<'a>(&self, what: MasterSealed<'a>, sealed: &[u8]) -> Answer<Vec<u8>>;
            fn seal_with_master<'a>(
                &self,
                what: MasterSealed<'a>,
                plaintext: &[u8],
            ) -> Answer<Vec<u8>>;
            fn open_with_master<'a>(
                &self,
                what: MasterSealed<'a>,
                sealed: &[u8],
            ) -> Answer<Vec<u8>>;
            fn new_key(&self) -> Answer<DataKey>;
            fn new_salt(&self) -> Answer<Salt>;
            fn wrap(&self, aad: &str, key: &DataKey) -> Answer<WrappedKey>;
            fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> Answer<DataKey>;
            fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> Answer<Vec<u8>>;
            fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> Answer<Vec<u8>>;
        }
    }

    fn rotation(
        writes: impl FnOnce(&mut MockTransaction),
        vault: MockKeys,
    ) -> Rotation<MockDatabase> {
        let database = MockDatabase::new(|_| {}, writes);
        Rotation::new(database, Arc::new(StoppedClock), Arc::new(vault))
    }

    fn new() -> MasterKeyId {
        MasterKeyId::from_bytes([8; 8])
    }

    fn former() -> MasterKeyId {
        MasterKeyId::from_bytes([7; 8])
    }

    #[test]
    fn the_new_key_is_active_before_anything_is_rewrapped() {
        let mut order = Sequence::new();
        let mut vault = MockKeys::new();
        let writes = |tx: &mut MockTransaction| {
            tx.expect_init_master_key()
                .times(1)
                .in_sequence(&mut order)
                .returning(|_| Ok(former()));
            for adopted in [former(), new()] {
                vault
                    .expect_activate()
                    .withf(move |id| *id == adopted)
                    .times(1)
                    .in_sequence(&mut order)
                    .returning(|_| Ok(()));
            }
            tx.expect_replace_master_key()
                .withf(|id| *id == new())
                .times(1)
                .in_sequence(&mut order)
                .returning(|_| Ok(()));
            tx.expect_record()
                .withf(|entry| entry.kind == AuditKind::KeyRotated && entry.at == at(0))
                .times(1)
                .in_sequence(&mut order)
                .returning(|_| Ok(()));
            for batch in [500, 3, 0] {
                tx.expect_rewrap_batch()
                    .times(1)
                    .in_sequence(&mut order)
                    .returning(move |_| Ok(batch));
            }
        };
        let database = MockDatabase::new(|_| {}, writes);
        let rotation = Rotation::new(database, Arc::new(StoppedClock), Arc::new(vault));
        assert_eq!(rotation.rotate(new()).unwrap(), 503);
    }

    #[test]
    fn a_resumed_rotation_is_not_recorded_again() {
        let mut vault = MockKeys::new();
        vault.expect_activate().returning(|_| Ok(()));
        let writes = |tx: &mut MockTransaction| {
            tx.expect_init_master_key().returning(Ok);
            let mut batches = [3, 0].into_iter();
            tx.expect_rewrap_batch()
                .times(2)
                .returning(move |_| Ok(batches.next().unwrap()));
        };
        let rotation = rotation(writes, vault);
        assert_eq!(rotation.rotate(new()).unwrap(), 3);
    }

    #[test]
    fn a_missing_key_changes_nothing() {
        for absent in [former(), new()] {
            let mut vault = MockKeys::new();
            vault.expect_activate().returning(move |id| {
                if id != absent {
                    return Ok(());
                }
                Err(PortError {
                    operation: "looking for a master key",
                    source: "nobody has it".into(),
                })
            });
            let writes = |tx: &mut MockTransaction| {
                tx.expect_init_master_key().returning(|_| Ok(former()));
            };
            let rotation = rotation(writes, vault);
            assert!(matches!(
                rotation.rotate(new()),
                Err(RotationError::Port(_))
            ));
        }
    }
}
