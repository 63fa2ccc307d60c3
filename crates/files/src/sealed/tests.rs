use std::fs;
use std::path::PathBuf;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_domain::digest::Digest;
use ideavault_domain::file::MediaType;
use ideavault_domain::file_name::FileName;
use ideavault_domain::ids::UserId;
use tempfile::TempDir;

use super::*;
use crate::FolderStorage;

const LENGTHS: [u64; 7] = [
    1,
    CHUNK - 1,
    CHUNK,
    CHUNK + 1,
    2 * CHUNK,
    2 * CHUNK + 1,
    5 * CHUNK,
];

struct Fixture {
    storage: SealedStorage,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let blobs = FolderStorage::open(folder.path()).unwrap();
        let ring = KeyRing::new(&[MasterKey::from_random([1; 32])]).unwrap();
        let storage = SealedStorage::new(Arc::new(blobs), Arc::new(ring)).unwrap();
        Self { storage, folder }
    }

    fn put(&self, id: FileId, content: &[u8]) -> StoredFile {
        StoredFile {
            id,
            owner: UserId::from_random([9; 16]),
            media_type: MediaType::Pdf,
            name: FileName::clean("a.pdf", "file"),
            size: content.len() as u64,
            sha256: Digest::of(content),
            created_at: Timestamp::UNIX_EPOCH,
            key: self.storage.put(id, &mut &content[..]).unwrap(),
        }
    }

    fn read(&self, file: &StoredFile, part: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let opened = self.storage.open(file, part).map_err(io::Error::other);
        opened?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn path(&self, id: FileId) -> PathBuf {
        let id = id.to_string();
        self.folder.path().join(&id[..2]).join(&id)
    }

    /// Changes the bytes on the disk.
    fn tamper(&self, id: FileId, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(self.path(id)).unwrap();
        change(&mut bytes);
        fs::write(self.path(id), bytes).unwrap();
    }
}

fn id(byte: u8) -> FileId {
    FileId::from_random([byte; 16])
}

fn content(length: u64) -> Vec<u8> {
    (0..length).map(|n| (n % 251) as u8).collect()
}

#[test]
fn every_range_of_every_length_can_be_read() {
    let fixture = Fixture::new();
    for (number, length) in LENGTHS.into_iter().enumerate() {
        let content = content(length);
        let file = fixture.put(id(number as u8), &content);
        let edges = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, length];
        for start in edges {
            for end in edges {
                if start <= end && end <= length {
                    let read = fixture.read(&file, start..end).unwrap();
                    assert!(
                        read == content[start as usize..end as usize],
                        "{length} {start} {end}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_plaintext_of_a_file_is_on_the_disk() {
    let fixture = Fixture::new();
    fixture.put(id(1), &b"CANARY".repeat(20_000));
    let bytes = fs::read(fixture.path(id(1))).unwrap();
    assert!(!bytes.windows(6).any(|window| window == b"CANARY"));
}

#[test]
fn changed_truncated_or_moved_chunks_do_not_decrypt() {
    let whole = 0..3 * CHUNK;
    let chunk = (CHUNK + Fixture::new().storage.overhead) as usize;
    let changes: [fn(&mut Vec<u8>, usize); 4] = [
        |bytes, chunk| bytes[2 * chunk + 50] ^= 1,
        |bytes, chunk| bytes.truncate(2 * chunk),
        |bytes, _| bytes.truncate(bytes.len() - 1),
        |bytes, chunk| bytes.copy_within(0..chunk, chunk),
    ];
    for change in changes {
        let fixture = Fixture::new();
        let file = fixture.put(id(1), &content(3 * CHUNK));
        assert!(fixture.read(&file, whole.clone()).is_ok());
        fixture.tamper(id(1), |bytes| change(bytes, chunk));
        let error = fixture.read(&file, whole.clone()).unwrap_err();
        let error = StorageError::reading("read a file", id(1))(error);
        assert!(matches!(error, StorageError::Damaged { .. }), "{error}");
    }
}

#[test]
fn a_truncated_file_does_not_pass_as_a_shorter_one() {
    let fixture = Fixture::new();
    let file = fixture.put(id(1), &content(3 * CHUNK));
    let chunk = (CHUNK + fixture.storage.overhead) as usize;
    fixture.tamper(id(1), |bytes| bytes.truncate(2 * chunk));
    let shorter = StoredFile {
        size: 2 * CHUNK,
        ..file
    };
    assert!(fixture.read(&shorter, 0..2 * CHUNK).is_err());
}

#[test]
fn the_key_of_one_file_does_not_decrypt_another() {
    let fixture = Fixture::new();
    let one = fixture.put(id(1), &content(10));
    let two = fixture.put(id(2), &content(10));
    fs::copy(fixture.path(id(1)), fixture.path(id(2))).unwrap();
    assert!(fixture.read(&two, 0..10).is_err());
    let swapped = StoredFile {
        key: one.key,
        ..two
    };
    assert!(fixture.read(&swapped, 0..10).is_err());
}
