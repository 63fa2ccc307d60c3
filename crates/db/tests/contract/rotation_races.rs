//! Rotation of the master key during other writes.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::evidence::Salt;
use ideavault_domain::keys::{DataKey, MasterKeyId, MasterSealed, WrappedKey};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Database as _, Encryption, PortError};
use ideavault_domain::two_factor::TotpSecret;

use crate::support::{Fixture, at, on_both_databases};

on_both_databases!(
    a_key_destroyed_during_a_rotation_is_not_restored,
    a_secret_set_up_during_a_rotation_is_not_overwritten,
);

/// A key ring that runs something just before it first rewraps a value.
struct Interrupted {
    ring: KeyRing,
    by: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Encryption for Interrupted {
    fn master_key(&self) -> Result<MasterKeyId, PortError> {
        self.ring.master_key()
    }

    fn activate(&self, id: MasterKeyId) -> Result<(), PortError> {
        self.ring.activate(id)
    }

    fn rewrap(&self, what: MasterSealed<'_>, sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        if let Some(happens) = self.by.lock().unwrap().take() {
            happens();
        }
        self.ring.rewrap(what, sealed)
    }

    fn seal_with_master(
        &self,
        what: MasterSealed<'_>,
        plaintext: &[u8],
    ) -> Result<Vec<u8>, PortError> {
        self.ring.seal_with_master(what, plaintext)
    }

    fn open_with_master(
        &self,
        what: MasterSealed<'_>,
        sealed: &[u8],
    ) -> Result<Vec<u8>, PortError> {
        self.ring.open_with_master(what, sealed)
    }

    fn new_key(&self) -> Result<DataKey, PortError> {
        self.ring.new_key()
    }

    fn new_salt(&self) -> Result<Salt, PortError> {
        self.ring.new_salt()
    }

    fn wrap(&self, aad: &str, key: &DataKey) -> Result<WrappedKey, PortError> {
        self.ring.wrap(aad, key)
    }

    fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> Result<DataKey, PortError> {
        self.ring.unwrap(aad, wrapped)
    }

    fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> Result<Vec<u8>, PortError> {
        self.ring.seal(key, aad, plaintext)
    }

    fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        self.ring.open(key, aad, sealed)
    }

    fn hash(&self, key: &DataKey, text: &str) -> Result<[u8; 32], PortError> {
        self.ring.hash(key, text)
    }
}

fn ring(keys: &[u8]) -> KeyRing {
    let keys: Vec<_> = keys
        .iter()
        .map(|byte| MasterKey::from_random([*byte; 32]))
        .collect();
    KeyRing::new(&keys).unwrap()
}

fn open(fixture: &Fixture, encryption: impl Encryption + 'static) -> SqlDatabase {
    SqlDatabase::connect(fixture.database.url(), Arc::new(encryption)).unwrap()
}

/// Replaces the fixture's master key 7 with 8; another connection runs `work` once the
/// first batch has read its rows. On SQLite it runs after that batch.
fn rotate_while(fixture: &Fixture, work: impl FnOnce(&SqlDatabase) + Send + 'static) {
    let other = open(fixture, ring(&[8, 7]));
    let is_their_turn = fixture.is_postgres();
    let (hand_over, handed_over) = mpsc::channel();
    let by = move || {
        let working = thread::spawn(move || work(&other));
        if is_their_turn {
            working.join().unwrap();
        } else {
            hand_over.send(working).unwrap();
        }
    };
    let rotating = open(
        fixture,
        Interrupted {
            ring: ring(&[8, 7]),
            by: Mutex::new(Some(Box::new(by))),
        },
    );
    let current = ring(&[8]).master_key().unwrap();
    rotating
        .write(|tx| tx.master_keys().replace_master_key(current))
        .unwrap();
    let batch = || {
        rotating
            .write(|tx| tx.master_keys().rewrap_batch(500, &mut Vec::new()))
            .unwrap()
    };
    assert!(batch() > 0);
    for working in handed_over {
        working.join().unwrap();
    }
    while batch() > 0 {}
}

fn a_key_destroyed_during_a_rotation_is_not_restored(fixture: &Fixture) {
    let draft = fixture.add_draft().id;
    rotate_while(fixture, move |other| {
        let deleted = other.write(|tx| tx.ideas().delete_draft(draft, at(1)));
        assert!(deleted.unwrap());
    });
    assert_eq!(fixture.count("idea_keys WHERE content IS NOT NULL"), 0);
    // The other key of the row is rewrapped nevertheless.
    let after = open(fixture, ring(&[8]));
    let activity = after.read(|tx| tx.recipients().activity_of(draft, Paging::default()));
    assert_eq!(activity.unwrap(), Page::default());
}

fn a_secret_set_up_during_a_rotation_is_not_overwritten(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let [former, newer] = [1, 2].map(|byte| TotpSecret::from_random([byte; 20]));
    let begin = move |database: &SqlDatabase, secret: &TotpSecret| {
        let begun = database.write(|tx| tx.two_factors().begin_two_factor(user, secret));
        assert!(begun.unwrap());
    };
    begin(&fixture.store, &former);
    let begun = newer.clone();
    rotate_while(fixture, move |other| begin(other, &begun));
    let after = open(fixture, ring(&[8]));
    let secret = after.read(|tx| tx.two_factors().totp_secret(user));
    assert_eq!(secret.unwrap(), Some(newer));
}
