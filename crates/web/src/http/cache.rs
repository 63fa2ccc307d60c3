//! A cache of what was read from the database.
//!
//! Invariants: a value is returned only at the version of the data at which it was read. Memory is
//! bounded in bytes. Everything is discarded as soon as another version is seen, so that nothing
//! outlives its erasure for long.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ideavault_crypto::CacheUse;
use ideavault_db::DataVersion;
use ideavault_domain::Timestamp;

/// Estimated overhead of an entry, in bytes.
const OVERHEAD: usize = 256;

/// A value that was read. Until some time, reading it again would find the same and record nothing,
/// unless something is committed to the database meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Fresh<T> {
    /// The value.
    pub(super) value: T,
    /// When it may change by itself.
    pub(super) until: Timestamp,
}

/// A value whose size is known.
pub(super) trait Weighed: Clone {
    /// Returns how many bytes it takes on the heap.
    fn bytes(&self) -> usize;
}

impl Weighed for Option<String> {
    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, String::len)
    }
}

/// Values that were read at one version of the data.
pub(super) struct VersionedCache<K, V, W = DataVersion> {
    capacity: usize,
    entries: Mutex<Entries<K, V, W>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

struct Entries<K, V, W> {
    version: Option<W>,
    by_key: HashMap<K, Entry<V>>,
    bytes: usize,
}

struct Entry<V> {
    /// When it was read.
    from: Timestamp,
    read: Fresh<V>,
}

impl<K, V, W> Default for Entries<K, V, W> {
    fn default() -> Self {
        Self {
            version: None,
            by_key: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<K: Eq + Hash, V: Weighed, W: Clone + PartialEq> VersionedCache<K, V, W> {
    /// Creates a cache of at most `capacity` bytes.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            entries: Mutex::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Returns what reading would find at `version` and `now`, if that is cached.
    pub(super) fn get(&self, version: &W, key: &K, now: Timestamp) -> Option<V> {
        let entries = self.entries_at(version);
        let found = entries
            .by_key
            .get(key)
            .filter(|entry| entry.from <= now && now < entry.read.until)
            .map(|entry| entry.read.value.clone());
        let counter = if found.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Caches what was read by `now`, and after `version`. If the cache is full, clears it first:
    /// what is in use soon returns.
    pub(super) fn insert(&self, version: &W, key: K, now: Timestamp, read: &Fresh<V>) {
        let size = read.value.bytes() + OVERHEAD;
        if read.until <= now || size > self.capacity {
            return;
        }
        let mut entries = self.entries_at(version);
        if let Some(replaced) = entries.by_key.remove(&key) {
            entries.bytes -= replaced.read.value.bytes() + OVERHEAD;
        }
        if entries.bytes + size > self.capacity {
            *entries = Entries {
                version: entries.version.take(),
                ..Entries::default()
            };
        }
        let read = read.clone();
        entries.by_key.insert(key, Entry { from: now, read });
        entries.bytes += size;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries().by_key.is_empty()
    }

    /// Discards what was read at another version.
    pub(super) fn discard_unless(&self, version: &W) {
        drop(self.entries_at(version));
    }

    /// Returns how often a value was found.
    pub(super) fn use_so_far(&self) -> CacheUse {
        CacheUse {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
        }
    }

    /// Returns the entries, which are none unless they were read at `version`.
    fn entries_at(&self, version: &W) -> MutexGuard<'_, Entries<K, V, W>> {
        let mut entries = self.entries();
        if entries.version.as_ref() != Some(version) {
            *entries = Entries {
                version: Some(version.clone()),
                ..Entries::default()
            };
        }
        entries
    }

    fn entries(&self) -> MutexGuard<'_, Entries<K, V, W>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
