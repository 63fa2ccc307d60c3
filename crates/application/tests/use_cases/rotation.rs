use std::sync::Arc;

use ideavault_application::rotation::{Rotation, RotationError};
use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::ids::ShareId;
use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::token::TokenHash;

use crate::support::{full_access, hello, token_of};
use crate::vault::{Vault, queued};

fn master(byte: u8) -> MasterKey {
    MasterKey::from_random([byte; 32])
}

fn id(byte: u8) -> MasterKeyId {
    master(byte).id().unwrap()
}

/// A rotation by a server that knows these keys.
fn rotation(vault: &Vault, keys: &[u8]) -> Rotation<SqlDatabase> {
    let keys: Vec<_> = keys.iter().map(|byte| master(*byte)).collect();
    let ring = Arc::new(KeyRing::new(&keys).unwrap());
    let database = SqlDatabase::connect(vault.database.url(), Arc::clone(&ring) as _).unwrap();
    Rotation::new(Arc::new(database), vault.clock(), ring)
}

/// Reads the token of a link with that key alone.
fn token_by(vault: &Vault, key: u8, link: ShareId) -> Option<TokenHash> {
    use ideavault_domain::ports::Database as _;
    let alone = Arc::new(KeyRing::new(&[master(key)]).unwrap());
    let database = SqlDatabase::connect(vault.database.url(), alone).unwrap();
    let token = database.read(|tx| tx.shares().share_token(link));
    token.unwrap().map(|token| token.hash())
}

fn current(vault: &Vault) -> Option<MasterKeyId> {
    vault.read(|tx| tx.master_keys().master_key())
}

fn begun() -> Arc<Vault> {
    let vault = Vault::new();
    vault.write(|tx| tx.master_keys().init_master_key(id(7)));
    vault
}

#[test]
fn a_rotation_that_goes_on_is_recorded_once() {
    let vault = begun();
    let idea = vault.add_draft();
    vault.add_share(idea.id, full_access());
    let rotation = rotation(&vault, &[8, 7]);
    assert!(rotation.rotate(id(8)).unwrap().rewrapped >= 2);
    assert_eq!(current(&vault), Some(id(8)));
    let again = rotation.rotate(id(8)).unwrap();
    assert_eq!((again.rewrapped, again.damaged.len()), (0, 0));
    assert_eq!(vault.audited(), [AuditKind::KeyRotated]);
}

#[test]
fn the_new_key_is_active_before_anything_is_rewrapped() {
    let vault = begun();
    let link = vault.add_share(vault.add_draft().id, full_access());
    // A server encrypts with the first key that it has, until it learns of another.
    rotation(&vault, &[7, 8]).rotate(id(8)).unwrap();
    assert_eq!(token_by(&vault, 8, link.id), Some(token_of(link.id).hash()));
}

#[test]
fn damaged_values_are_named_unless_a_key_is_missing() {
    for (damaged, is_refused) in [(3, false), (501, true)] {
        let vault = begun();
        vault.write(|tx| (0..damaged).try_for_each(|_| tx.outbox().queue_mail(&queued(hello()))));
        vault.sql("UPDATE outbox_mails SET sealed = x'00'").unwrap();
        match rotation(&vault, &[8, 7]).rotate(id(8)) {
            Ok(rotated) => {
                assert!(!is_refused);
                assert_eq!(rotated.damaged.len(), damaged);
            }
            Err(error) => assert!(is_refused && matches!(error, RotationError::Damaged)),
        }
    }
}

#[test]
fn a_missing_key_changes_nothing() {
    for known in [7, 8] {
        let vault = begun();
        let refused = rotation(&vault, &[known]).rotate(id(8));
        assert!(matches!(refused, Err(RotationError::Port(_))));
        assert_eq!(current(&vault), Some(id(7)));
        assert!(vault.audited().is_empty());
    }
}
