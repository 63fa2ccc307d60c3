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

#[cfg(test)]
mod tests {
    use ideavault_domain::evidence::Salt;
    use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
    use mockall::{Sequence, mock};

    use super::*;
    use crate::testing::{MockDatabase, MockTransaction, StoppedClock, at};

    type PortResult<T> = Result<T, PortError>;

    mock! {
        Keys {}

        impl Encryption for Keys {
            fn master_key(&self) -> PortResult<MasterKeyId>;
            fn activate(&self, id: MasterKeyId) -> PortResult<()>;
            fn rewrap<'a>(&self, what: MasterSealed<'a>, sealed: &[u8]) -> PortResult<Vec<u8>>;
            fn seal_with_master<'a>(
                &self,
                what: MasterSealed<'a>,
                plaintext: &[u8],
            ) -> PortResult<Vec<u8>>;
            fn open_with_master<'a>(
                &self,
                what: MasterSealed<'a>,
                sealed: &[u8],
            ) -> PortResult<Vec<u8>>;
            fn new_key(&self) -> PortResult<DataKey>;
            fn new_salt(&self) -> PortResult<Salt>;
            fn wrap(&self, aad: &str, key: &DataKey) -> PortResult<WrappedKey>;
            fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> PortResult<DataKey>;
            fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> PortResult<Vec<u8>>;
            fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> PortResult<Vec<u8>>;
        }
    }

    fn rotation(
        writes: impl FnOnce(&mut MockTransaction),
        encryption: MockKeys,
    ) -> Rotation<MockDatabase> {
        let database = MockDatabase::new(|_| {}, writes);
        Rotation::new(database, Arc::new(StoppedClock), Arc::new(encryption))
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
        let mut encryption = MockKeys::new();
        let writes = |tx: &mut MockTransaction| {
            tx.expect_init_master_key()
                .times(1)
                .in_sequence(&mut order)
                .returning(|_| Ok(former()));
            for adopted in [former(), new()] {
                encryption
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
                    .returning(move |_, _| Ok(batch));
            }
        };
        let database = MockDatabase::new(|_| {}, writes);
        let rotation = Rotation::new(database, Arc::new(StoppedClock), Arc::new(encryption));
        assert_eq!(rotation.rotate(new()).unwrap().rewrapped, 503);
    }

    #[test]
    fn a_resumed_rotation_is_not_recorded_again() {
        let mut encryption = MockKeys::new();
        encryption.expect_activate().returning(|_| Ok(()));
        let writes = |tx: &mut MockTransaction| {
            tx.expect_init_master_key().returning(Ok);
            let mut batches = [3, 0].into_iter();
            tx.expect_rewrap_batch()
                .times(2)
                .returning(move |_, _| Ok(batches.next().unwrap()));
        };
        let rotation = rotation(writes, encryption);
        assert_eq!(rotation.rotate(new()).unwrap().rewrapped, 3);
    }

    /// Rotates while each of the batches finds that many damaged values.
    fn rotate_damaged(batches: Vec<usize>) -> Result<Rotated, RotationError> {
        let mut encryption = MockKeys::new();
        encryption.expect_activate().returning(|_| Ok(()));
        let writes = |tx: &mut MockTransaction| {
            tx.expect_init_master_key().returning(Ok);
            let mut batches = batches.into_iter();
            tx.expect_rewrap_batch().returning(move |_, damaged| {
                let found = batches.next().unwrap();
                damaged.extend((0..found).map(|id| DamagedValue {
                    area: "token of link",
                    id: id.to_string(),
                }));
                Ok(found)
            });
        };
        rotation(writes, encryption).rotate(new())
    }

    #[test]
    fn damaged_values_are_named_unless_a_key_is_missing() {
        let rotated = rotate_damaged(vec![2, 1, 0]).unwrap();
        assert_eq!((rotated.rewrapped, rotated.damaged.len()), (0, 3));
        let refused = rotate_damaged(vec![400, 101]);
        assert!(matches!(refused, Err(RotationError::Damaged)));
    }

    #[test]
    fn a_missing_key_changes_nothing() {
        for absent in [former(), new()] {
            let mut encryption = MockKeys::new();
            encryption.expect_activate().returning(move |id| {
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
            let rotation = rotation(writes, encryption);
            assert!(matches!(
                rotation.rotate(new()),
                Err(RotationError::Port(_))
            ));
        }
    }
}
