//! Keys that were unwrapped lately, so that a list of ideas does not cost one more
//! decryption for each, every time.
//!
//! Invariant: a key is found by the very bytes that wrap it, and only at its place.
//! So one that was destroyed is found by nobody any more, and one that was wrapped
//! anew is unwrapped anew. That they are in memory tells no more than what is there
//! anyway: the master key, which opens all of them.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ideavault_domain::keys::{DATA_KEY_LENGTH, DataKey, WrappedKey};
use zeroize::Zeroizing;

/// How many are kept, with some 300 bytes each.
const CAPACITY: usize = 4_096;

struct Entry {
    aad: Box<str>,
    key: Zeroizing<[u8; DATA_KEY_LENGTH]>,
}

/// The keys; overwritten before their memory is given back.
#[derive(Default)]
pub(super) struct Unwrapped(RwLock<HashMap<Box<[u8]>, Entry>>);

impl Unwrapped {
    /// The key that `wrapped` holds, if it was unwrapped for that place lately.
    pub(super) fn find(&self, aad: &str, wrapped: &WrappedKey) -> Option<DataKey> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries
            .get(wrapped.as_bytes())
            .filter(|entry| *entry.aad == *aad)
            .map(|entry| DataKey::from_random(*entry.key))
    }

    /// Keeps a key for a while. When there is no room, all others go: they come
    /// back as they are asked for, and what is asked for often soon.
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
    fn a_key_is_found_by_its_own_bytes_at_its_own_aad() {
        let unwrapped = Unwrapped::default();
        unwrapped.keep("idea 1", &wrapped(1), &key(1));
        unwrapped.keep("idea 2", &wrapped(2), &key(2));
        assert_eq!(found(&unwrapped, "idea 1", 1), Some([1; 32]));
        assert_eq!(found(&unwrapped, "idea 2", 2), Some([2; 32]));
        assert_eq!(found(&unwrapped, "idea 2", 1), None);
        assert_eq!(found(&unwrapped, "idea 1", 3), None);
    }

    #[test]
    fn there_are_never_more_than_fit() {
        let unwrapped = Unwrapped::default();
        for number in 0..=CAPACITY {
            unwrapped.keep("idea", &wrapped(number), &key(7));
        }
        assert_eq!(found(&unwrapped, "idea", 0), None);
        assert_eq!(found(&unwrapped, "idea", CAPACITY), Some([7; 32]));
    }
}
