//! A cache of recently unwrapped data keys, which saves one decryption for each idea in
//! a list.
//!
//! Invariant: a key is found only by its wrapped bytes together with its associated data.
//! So a destroyed key is not found any more, and a rewrapped one is unwrapped again. The
//! cache discloses nothing more: the master key, which is in memory anyway, unwraps all
//! of them.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ideavault_domain::keys::{DATA_KEY_LENGTH, DataKey, WrappedKey};
use zeroize::Zeroizing;

/// Most keys in the cache, at about 300 bytes each.
const CAPACITY: usize = 4_096;

struct Entry {
    aad: Box<str>,
    key: Zeroizing<[u8; DATA_KEY_LENGTH]>,
}

/// The cached keys, which are overwritten before their memory is freed.
#[derive(Default)]
pub(super) struct Unwrapped(RwLock<HashMap<Box<[u8]>, Entry>>);

impl Unwrapped {
    /// Returns the key of `wrapped`, if it was recently unwrapped with the same `aad`.
    pub(super) fn find(&self, aad: &str, wrapped: &WrappedKey) -> Option<DataKey> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries
            .get(wrapped.as_bytes())
            .filter(|entry| *entry.aad == *aad)
            .map(|entry| DataKey::from_random(*entry.key))
    }

    /// Caches a key. If the cache is full, clears it first: keys in use soon return.
    pub(super) fn keep(&self, aad: &str, wrapped: &WrappedKey, key: &DataKey) {
        let entry = Entry {
            aad: aad.into(),
            key: Zeroizing::new(*key.as_bytes()),
        };
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= CAPACITY {
            entries.clear();
        }
        entries.insert(wrapped.as_bytes().into(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(number: usize) -> WrappedKey {
        WrappedKey::from_stored(number.to_be_bytes().to_vec())
    }

    fn key(byte: u8) -> DataKey {
        DataKey::from_random([byte; DATA_KEY_LENGTH])
    }

    fn found(unwrapped: &Unwrapped, aad: &str, number: usize) -> Option<[u8; DATA_KEY_LENGTH]> {
        let key = unwrapped.find(aad, &wrapped(number));
        key.map(|key| *key.as_bytes())
    }

    #[test]
    fn a_key_is_found_only_by_its_wrapped_bytes_and_aad() {
        let unwrapped = Unwrapped::default();
        unwrapped.keep("idea 1", &wrapped(1), &key(1));
        unwrapped.keep("idea 2", &wrapped(2), &key(2));
        assert_eq!(found(&unwrapped, "idea 1", 1), Some([1; 32]));
        assert_eq!(found(&unwrapped, "idea 2", 2), Some([2; 32]));
        assert_eq!(found(&unwrapped, "idea 2", 1), None);
        assert_eq!(found(&unwrapped, "idea 1", 3), None);
    }

    #[test]
    fn the_cache_never_exceeds_its_capacity() {
        let unwrapped = Unwrapped::default();
        for number in 0..=CAPACITY {
            unwrapped.keep("idea", &wrapped(number), &key(7));
        }
        assert_eq!(found(&unwrapped, "idea", 0), None);
        assert_eq!(found(&unwrapped, "idea", CAPACITY), Some([7; 32]));
    }
}
