//! Replacing the master key.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::ports::{Clock, Database, DatabaseError, PortError, Vault};
use thiserror::Error;

/// How many values are sealed anew in one transaction: others write in between.
const BATCH: usize = 500;

/// Why a rotation stopped. Nothing is lost: it can be begun again, and goes on
/// where it stopped.
#[derive(Debug, Error)]
pub enum RotationError {
    /// The store could not answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A key is missing.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Rotations of the master key.
pub struct Rotation<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    vault: Arc<dyn Vault>,
}

impl<S: Database> Rotation<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>, vault: Arc<dyn Vault>) -> Self {
        Self {
            database,
            clock,
            vault,
        }
    }

    /// Makes `to` the current master key, also of the servers that run, unless
    /// it is already, and seals anew whatever a former one has sealed. Answers how
    /// many values that were. Afterwards nothing needs the former keys any more.
    ///
    /// # Errors
    /// [`RotationError`].
    pub fn rotate(&self, to: MasterKeyId) -> Result<usize, RotationError> {
        // From here on, nobody adds anything that another key has sealed.
        let entry = AuditEntry {
            at: self.clock.now(),
            kind: AuditKind::KeyRotated,
            account: None,
            subject: None,
            origin: None,
        };
        self.database.write(|tx| {
            let present = tx.master_keys().adopt_master_key(to)?;
            // What it has sealed can be sealed anew only by who has it.
            self.vault.activate(present)?;
            self.vault.activate(to)?;
            if present != to {
                tx.master_keys().replace_master_key(to)?;
                // A rotation that goes on is on record already.
                tx.audit().record(&entry)?;
            }
            Ok::<_, RotationError>(())
        })?;
        let mut renewed = 0;
        loop {
            match self
                .database
                .write(|tx| tx.master_keys().renew_sealed(BATCH))?
            {
                0 => return Ok(renewed),
                batch => renewed += batch,
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
            fn new_key(&self) -> Answer<DataKey>;
            fn wrap(&self, place: &str, key: &DataKey) -> Answer<WrappedKey>;
            fn unwrap(&self, place: &str, wrapped: &WrappedKey) -> Answer<DataKey>;
            fn seal(&self, key: &DataKey, place: &str, plaintext: &[u8]) -> Answer<Vec<u8>>;
            fn open(&self, key: &DataKey, place: &str, sealed: &[u8]) -> Answer<Vec<u8>>;
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
    fn the_new_key_is_current_before_anything_is_sealed_anew() {
        let mut order = Sequence::new();
        let mut vault = MockKeys::new();
        let writes = |tx: &mut MockTransaction| {
            tx.expect_adopt_master_key()
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
                tx.expect_renew_sealed()
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
    fn a_rotation_that_goes_on_is_not_recorded_again() {
        let mut vault = MockKeys::new();
        vault.expect_activate().returning(|_| Ok(()));
        let writes = |tx: &mut MockTransaction| {
            tx.expect_adopt_master_key().returning(Ok);
            let mut batches = [3, 0].into_iter();
            tx.expect_renew_sealed()
                .times(2)
                .returning(move |_| Ok(batches.next().unwrap()));
        };
        let rotation = rotation(writes, vault);
        assert_eq!(rotation.rotate(new()).unwrap(), 3);
    }

    #[test]
    fn a_key_that_is_not_here_changes_nothing() {
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
                tx.expect_adopt_master_key().returning(|_| Ok(former()));
            };
            let rotation = rotation(writes, vault);
            assert!(matches!(
                rotation.rotate(new()),
                Err(RotationError::Port(_))
            ));
        }
    }
}
