//! A cache of recently unwrapped data keys, which saves one decryption for each idea in
//! a list.
//!
//! Invariant: a key is found only by its wrapped bytes together with its associated data.
//! So a destroyed key is not found any more, and a rewrapped one is unwrapped again. The
//! cache discloses nothing more: the master key, which is in memory anyway, unwraps all
//! of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use ideavault_domain::keys::{DATA_KEY_LENGTH, DataKey, WrappedKey};
use zeroize::Zeroizing;

/// Most memory of the cache, in bytes.
const CAPACITY: usize = 1024 * 1024;
/// Estimated overhead of an entry, in bytes.
const OVERHEAD: usize = 128;

/// How often a cache was of use since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Values that were found.
    pub hits: u64,
    /// Values that were not.
    pub misses: u64,
}

struct Entry {
    aad: Box<str>,
    key: Zeroizing<[u8; DATA_KEY_LENGTH]>,
}

#[derive(Default)]
struct Entries {
    by_wrapped: HashMap<Box<[u8]>, Entry>,
    bytes: usize,
}

/// The cached keys, which are overwritten before their memory is freed.
#[derive(Default)]
pub(super) struct Unwrapped {
    entries: RwLock<Entries>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Unwrapped {
    /// Returns the key of `wrapped`, if it was recently unwrapped with the same `aad`.
    pub(super) fn find(&self, aad: &str, wrapped: &WrappedKey) -> Option<DataKey> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let found = entries
            .by_wrapped
            .get(wrapped.as_bytes())
            .filter(|entry| *entry.aad == *aad)
            .map(|entry| DataKey::from_random(*entry.key));
        let counter = if found.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Caches a key. If the cache is full, clears it first: keys in use soon return.
    pub(super) fn keep(&self, aad: &str, wrapped: &WrappedKey, key: &DataKey) {
        let size = wrapped.as_bytes().len() + aad.len() + DATA_KEY_LENGTH + OVERHEAD;
        let entry = Entry {
            aad: aad.into(),
            key: Zeroizing::new(*key.as_bytes()),
        };
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if entries.bytes + size > CAPACITY {
            *entries = Entries::default();
        }
        let replaced = entries.by_wrapped.insert(wrapped.as_bytes().into(), entry);
        if replaced.is_none() {
            entries.bytes += size;
        }
    }

    /// Returns how often a key was found.
    pub(super) fn use_so_far(&self) -> CacheUse {
        CacheUse {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
        }
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
        let most = CAPACITY / OVERHEAD;
        let mut kept = 0;
        for number in 0..most {
            unwrapped.keep("idea", &wrapped(number), &key(7));
            let entries = unwrapped.entries.read().unwrap();
            assert!(entries.bytes <= CAPACITY);
            kept = kept.max(entries.by_wrapped.len());
        }
        assert!((1_000..most).contains(&kept), "{kept}");
        assert_eq!(found(&unwrapped, "idea", 0), None);
        assert_eq!(found(&unwrapped, "idea", most - 1), Some([7; 32]));
    }

    #[test]
    fn a_key_that_is_kept_again_takes_no_more_memory() {
        let unwrapped = Unwrapped::default();
        unwrapped.keep("idea", &wrapped(1), &key(7));
        let once = unwrapped.entries.read().unwrap().bytes;
        unwrapped.keep("idea", &wrapped(1), &key(7));
        assert_eq!(unwrapped.entries.read().unwrap().bytes, once);
    }

    #[test]
    fn lookups_are_counted() {
        let unwrapped = Unwrapped::default();
        found(&unwrapped, "idea", 1);
        unwrapped.keep("idea", &wrapped(1), &key(7));
        found(&unwrapped, "idea", 1);
        found(&unwrapped, "idea", 1);
        let counted = CacheUse { hits: 2, misses: 1 };
        assert_eq!(unwrapped.use_so_far(), counted);
    }
}
