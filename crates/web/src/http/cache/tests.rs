use super::*;

type Cache = VersionedCache<u8, Option<String>, u32>;

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + chrono::Duration::seconds(seconds)
}

fn text(length: usize) -> Option<String> {
    Some("x".repeat(length))
}

/// Caches a value of `length` bytes that was read at second 10 and changes at second 20.
fn insert(cache: &Cache, version: u32, key: u8, length: usize) {
    let (value, until) = (text(length), at(20));
    cache.insert(&version, key, at(10), &Fresh { value, until });
}

fn get(cache: &Cache, version: u32, key: u8) -> Option<Option<String>> {
    cache.get(&version, &key, at(10))
}

fn bytes(cache: &Cache) -> usize {
    cache.entries().bytes
}

#[test]
fn a_value_is_found_at_its_version_alone() {
    let cache = Cache::new(10_000);
    insert(&cache, 1, 1, 5);
    assert_eq!(get(&cache, 1, 1), Some(text(5)));
    assert_eq!(get(&cache, 1, 2), None);
    assert_eq!(get(&cache, 2, 1), None);
    // It is discarded, not only hidden.
    assert_eq!(get(&cache, 1, 1), None);
    assert!(cache.is_empty());
    let CacheUse { hits, misses } = cache.use_so_far();
    assert_eq!((hits, misses), (1, 3));
}

#[test]
fn a_value_that_is_read_late_does_not_count_as_new() {
    let cache = Cache::new(10_000);
    insert(&cache, 2, 1, 5);
    // Somebody read version 1 before, and the value after the change.
    insert(&cache, 1, 1, 6);
    assert_eq!(get(&cache, 2, 1), None);
}

#[test]
fn a_value_is_found_only_while_the_time_changes_nothing() {
    let cache = Cache::new(10_000);
    insert(&cache, 1, 1, 5);
    let found = |seconds| cache.get(&1, &1, at(seconds)).is_some();
    assert_eq!(
        [9, 10, 19, 20].map(found),
        [false, true, true, false],
        "before it was read, when it was read, at the end, after the end"
    );
    let now = at(10);
    cache.insert(
        &1,
        2,
        now,
        &Fresh {
            value: text(5),
            until: now,
        },
    );
    assert_eq!(get(&cache, 1, 2), None);
    cache.insert(
        &1,
        3,
        now,
        &Fresh {
            value: text(5),
            until: Timestamp::MAX_UTC,
        },
    );
    assert!(cache.get(&1, &3, at(1_000_000_000)).is_some());
}

#[test]
fn memory_is_bounded_in_bytes() {
    let capacity = 10 * (OVERHEAD + 100);
    let cache = Cache::new(capacity);
    for key in 0..10 {
        insert(&cache, 1, key, 100);
    }
    assert_eq!(bytes(&cache), capacity);
    assert!((0..10).all(|key| get(&cache, 1, key).is_some()));
    // The same key counts once.
    insert(&cache, 1, 3, 50);
    assert_eq!(bytes(&cache), capacity - 50);
    // One more clears the others.
    insert(&cache, 1, 10, 100);
    assert_eq!(bytes(&cache), OVERHEAD + 100);
    assert!(get(&cache, 1, 10).is_some());
    assert!(get(&cache, 1, 3).is_none());
    // A value larger than the whole cache is not cached, and evicts nothing.
    insert(&cache, 1, 11, capacity);
    assert!(get(&cache, 1, 11).is_none());
    assert!(get(&cache, 1, 10).is_some());
}

#[test]
fn what_was_read_before_a_commit_can_be_discarded_without_a_request() {
    let cache = Cache::new(10_000);
    insert(&cache, 1, 1, 5);
    cache.discard_unless(&1);
    assert!(!cache.is_empty());
    cache.discard_unless(&2);
    assert!(cache.is_empty());
    assert_eq!(bytes(&cache), 0);
}
