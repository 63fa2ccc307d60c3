//! The contract of storages below the encryption, run on a folder and on a bucket of an
//! S3-compatible server.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use chrono::{Duration, Utc};
use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_domain::digest::Digest;
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::file_name::FileName;
use ideavault_domain::ids::{FileId, StorageId, UserId};
use ideavault_domain::ports::{BlobStore as _, StorageError};
use ideavault_files::testing::S3Server;
use ideavault_files::{Blobs, BucketStorage, FolderStorage, Limits, SealedStorage};
use tempfile::TempDir;

static SERVER: LazyLock<S3Server> = LazyLock::new(S3Server::start);

/// A storage of its own for each test.
struct Fixture {
    blobs: Arc<dyn Blobs>,
    _folder: Option<TempDir>,
}

impl Fixture {
    fn folder() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            blobs: Arc::new(FolderStorage::open(&folder.path().join("files")).unwrap()),
            _folder: Some(folder),
        }
    }

    fn bucket() -> Self {
        static TESTS: AtomicUsize = AtomicUsize::new(0);
        let prefix = format!("a/test-{}", TESTS.fetch_add(1, Ordering::Relaxed));
        let bucket = BucketStorage::new(&SERVER.settings(&prefix), Limits::default());
        Self {
            blobs: Arc::new(bucket.unwrap()),
            _folder: None,
        }
    }

    fn put(&self, id: FileId, content: &[u8]) {
        self.blobs.put(id, &mut &content[..]).unwrap();
    }

    fn read(&self, id: FileId, part: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut reader = self.blobs.open(id, part).unwrap();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn ids(&self, after: Option<FileId>, limit: usize) -> Vec<FileId> {
        let listed = self.blobs.list(after, limit).unwrap();
        listed.into_iter().map(|file| file.id).collect()
    }
}

/// Makes a test of each function for each storage.
macro_rules! on_both_storages {
    ($($name:ident),+ $(,)?) => {
        mod folder { $(#[test] fn $name() { super::$name(super::Fixture::folder()); })+ }
        mod bucket { $(#[test] fn $name() { super::$name(super::Fixture::bucket()); })+ }
    };
}

on_both_storages!(
    every_range_of_a_blob_can_be_read,
    a_large_blob_is_kept_whole,
    content_that_cannot_be_read_leaves_nothing,
    discarding_removes_a_blob_and_is_idempotent,
    blobs_are_listed_in_pages_in_the_order_of_ids,
    the_list_has_the_time_of_each_blob,
    a_storage_knows_which_blobs_it_holds,
    the_id_of_a_storage_is_kept_and_is_no_blob,
    a_storage_that_works_passes_its_probe_and_keeps_nothing_of_it,
    nothing_complete_is_removed_as_unfinished,
    a_sealed_file_can_be_read_in_part_and_has_nothing_in_the_clear,
);

fn id(byte: u8) -> FileId {
    FileId::from_random([byte; 16])
}

/// A reader that returns some bytes and then fails.
struct Broken(&'static [u8]);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            read => Ok(read),
        }
    }
}

fn every_range_of_a_blob_can_be_read(fixture: Fixture) {
    let content: Vec<u8> = (0..=250).cycle().take(300_000).collect();
    fixture.put(id(1), &content);
    for part in [0..300_000, 0..2, 299_999..300_000, 1_000..200_000, 5..5] {
        let (start, end) = (part.start as usize, part.end as usize);
        assert_eq!(fixture.read(id(1), part), content[start..end]);
    }
    // As far as there is something.
    assert_eq!(fixture.read(id(1), 0..u64::MAX), content);
    assert_eq!(fixture.read(id(1), 299_000..u64::MAX), content[299_000..]);
    assert_eq!(fixture.read(id(1), 299_000..400_000), content[299_000..]);
}

fn a_large_blob_is_kept_whole(fixture: Fixture) {
    let content: Vec<u8> = (0..=250).cycle().take(12_345_678).collect();
    fixture.put(id(1), &content);
    assert!(fixture.read(id(1), 0..u64::MAX) == content);
}

fn content_that_cannot_be_read_leaves_nothing(fixture: Fixture) {
    let error = fixture.blobs.put(id(1), &mut Broken(b"half a file"));
    assert!(matches!(error, Err(StorageError::Unavailable { .. })));
    assert_eq!(fixture.ids(None, 9), []);
    assert!(!fixture.blobs.holds(id(1)).unwrap());
}

fn discarding_removes_a_blob_and_is_idempotent(fixture: Fixture) {
    fixture.put(id(1), b"content");
    let mut reader = fixture.blobs.open(id(1), 0..7).unwrap();
    fixture.blobs.discard(id(1));
    fixture.blobs.discard(id(1));
    assert!(matches!(
        fixture.blobs.open(id(1), 0..7).err(),
        Some(StorageError::Missing { .. })
    ));
    assert_eq!(fixture.ids(None, 9), []);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "content");
}

fn blobs_are_listed_in_pages_in_the_order_of_ids(fixture: Fixture) {
    // Lies between the shards, and is none.
    let marker = StorageId::from_random([7; 16]);
    fixture.blobs.set_storage_id(marker).unwrap();
    let mut all: Vec<FileId> = (0..=255).step_by(15).map(id).collect();
    // Two in one shard.
    all.push(FileId::from_random([
        15, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    ]));
    for id in all.iter().rev() {
        fixture.put(*id, b"x");
    }
    all.sort_unstable();
    assert_eq!(fixture.ids(None, 1_000), all);
    for limit in [1, 7] {
        let mut paged = Vec::new();
        loop {
            let page = fixture.ids(paged.last().copied(), limit);
            if page.is_empty() {
                break;
            }
            paged.extend(page);
        }
        assert_eq!(paged, all);
    }
}

fn the_list_has_the_time_of_each_blob(fixture: Fixture) {
    let before = Utc::now() - Duration::seconds(5);
    fixture.put(id(1), b"x");
    let listed = fixture.blobs.list(None, 9).unwrap();
    let times: Vec<_> = listed.iter().map(|blob| blob.since).collect();
    assert_eq!(times.len(), 1);
    assert!(times[0] > before && times[0] < Utc::now() + Duration::seconds(5));
}

fn a_storage_knows_which_blobs_it_holds(fixture: Fixture) {
    fixture.put(id(1), b"1");
    assert!(fixture.blobs.holds(id(1)).unwrap());
    assert!(!fixture.blobs.holds(id(2)).unwrap());
}

fn the_id_of_a_storage_is_kept_and_is_no_blob(fixture: Fixture) {
    assert_eq!(fixture.blobs.storage_id().unwrap(), None);
    for byte in [1, 2] {
        let id = StorageId::from_random([byte; 16]);
        fixture.blobs.set_storage_id(id).unwrap();
        assert_eq!(fixture.blobs.storage_id().unwrap(), Some(id));
    }
    assert_eq!(fixture.ids(None, 9), []);
}

fn a_storage_that_works_passes_its_probe_and_keeps_nothing_of_it(fixture: Fixture) {
    fixture.blobs.probe().unwrap();
    assert_eq!(fixture.ids(None, 9), []);
}

fn nothing_complete_is_removed_as_unfinished(fixture: Fixture) {
    fixture.put(id(1), b"complete");
    let later = Utc::now() + Duration::hours(1);
    assert_eq!(fixture.blobs.remove_unfinished(later).unwrap(), 0);
    assert_eq!(fixture.ids(None, 9), [id(1)]);
}

fn a_sealed_file_can_be_read_in_part_and_has_nothing_in_the_clear(fixture: Fixture) {
    let ring = KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap();
    let sealed = SealedStorage::new(Arc::clone(&fixture.blobs), Arc::new(ring)).unwrap();
    let content = b"a confidential sentence. ".repeat(10_000);
    let key = sealed.put(id(1), &mut &content[..]).unwrap();
    let file = StoredFile {
        id: id(1),
        owner: UserId::from_random([1; 16]),
        media_type: MediaType::Pdf,
        name: FileName::clean("plan.pdf", "file"),
        size: content.len() as u64,
        sha256: Digest::of(&content),
        created_at: Utc::now(),
        key,
    };
    for part in [0..250_000, 70_000..140_001, 249_999..250_000] {
        let mut bytes = Vec::new();
        let mut reader = sealed.open(&file, part.clone()).unwrap();
        reader.read_to_end(&mut bytes).unwrap();
        assert!(bytes == content[part.start as usize..part.end as usize]);
    }
    let stored = fixture.read(id(1), 0..u64::MAX);
    assert!(!stored.windows(12).any(|window| window == b"confidential"));
}

#[test]
fn a_bucket_that_is_missing_or_refuses_the_key_is_unavailable() {
    let mut absent = SERVER.settings("a");
    absent.address = "s3://absent/a".parse().unwrap();
    let mut forged = SERVER.settings("a");
    forged.secret_access_key = Some("other".into());
    for settings in [absent, forged] {
        let bucket = BucketStorage::new(&settings, Limits::default()).unwrap();
        let is_unavailable =
            |error: Option<StorageError>| matches!(error, Some(StorageError::Unavailable { .. }));
        assert!(is_unavailable(bucket.open(id(1), 0..9).err()));
        assert!(is_unavailable(bucket.put(id(1), &mut &b"x"[..]).err()));
        assert!(is_unavailable(bucket.holds(id(1)).err()));
        assert!(is_unavailable(bucket.storage_id().err()));
        assert!(is_unavailable(bucket.list(None, 9).err()));
        assert!(is_unavailable(bucket.probe().err()));
        bucket.discard(id(1));
    }
}

#[test]
fn a_vault_does_not_see_the_objects_of_others_in_its_bucket() {
    let names = ["shared", "shared/inner", "shared2"];
    let buckets = names
        .map(|prefix| BucketStorage::new(&SERVER.settings(prefix), Limits::default()).unwrap());
    for (bucket, byte) in buckets.iter().zip(1..) {
        bucket.put(id(byte), &mut &b"x"[..]).unwrap();
    }
    for (bucket, byte) in buckets.iter().zip(1..) {
        let listed = bucket.list(None, 9).unwrap();
        let ids: Vec<_> = listed.iter().map(|blob| blob.id).collect();
        assert_eq!(ids, [id(byte)]);
    }
}

#[test]
fn a_file_has_the_same_name_in_a_bucket_as_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let stored = FolderStorage::open(folder.path()).unwrap();
    stored.put(id(1), &mut &b"sealed"[..]).unwrap();
    let path = format!("01/{}", id(1));
    assert!(folder.path().join(&path).exists());
    let bucket = BucketStorage::new(&SERVER.settings("same"), Limits::default()).unwrap();
    bucket.put(id(1), &mut &b"sealed"[..]).unwrap();
    let objects = SERVER.objects();
    assert!(
        objects
            .iter()
            .any(|(key, _)| *key == format!("same/{path}"))
    );
}
