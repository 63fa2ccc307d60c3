use chrono::Duration;
use tempfile::TempDir;

use super::*;

/// A storage in a temporary folder.
struct Fixture {
    storage: FolderStorage,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            storage: FolderStorage::open(&folder.path().join("files")).unwrap(),
            folder,
        }
    }

    fn put(&self, id: FileId, content: &[u8]) {
        self.storage.put(id, &mut &content[..]).unwrap();
    }

    fn read(&self, id: FileId, part: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut reader = self.storage.open(id, part).unwrap();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn ids(&self, after: Option<FileId>, limit: usize) -> Vec<FileId> {
        let listed = self.storage.list(after, limit).unwrap();
        listed.into_iter().map(|file| file.id).collect()
    }

    fn incoming(&self) -> usize {
        fs::read_dir(&self.storage.incoming).unwrap().count()
    }
}

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

#[test]
fn an_interrupted_upload_leaves_no_file() {
    let fixture = Fixture::new();
    let error = fixture.storage.put(id(1), &mut Broken(b"half a file"));
    assert!(matches!(error, Err(StorageError::Unavailable { .. })));
    assert_eq!(fixture.ids(None, 9), []);
    assert_eq!(fixture.incoming(), 0);
}

#[test]
fn an_id_is_used_once() {
    let fixture = Fixture::new();
    fixture.put(id(1), b"first");
    assert!(fixture.storage.put(id(1), &mut &b"second"[..]).is_err());
    assert_eq!(fixture.read(id(1), 0..9), b"first");
    assert_eq!(fixture.incoming(), 0);
}

#[test]
fn the_list_includes_the_time_of_each_file_and_skips_foreign_files() {
    let fixture = Fixture::new();
    let before = timestamp(SystemTime::now()) - Duration::seconds(2);
    fixture.put(id(1), b"x");
    fs::write(fixture.storage.root.join("README"), "x").unwrap();
    fs::write(fixture.storage.shard(id(1)).join("notes.txt"), "x").unwrap();
    let listed = fixture.storage.list(None, 9).unwrap();
    assert_eq!(listed.len(), 1);
    assert!(listed[0].since > before);
}

#[test]
fn only_old_unfinished_files_are_removed() {
    let fixture = Fixture::new();
    fixture.put(id(1), b"complete");
    fs::write(fixture.storage.incoming.join("left"), "half a file").unwrap();
    let now = timestamp(SystemTime::now());
    let hour = Duration::hours(1);
    assert_eq!(fixture.storage.remove_unfinished(now - hour).unwrap(), 0);
    assert_eq!(fixture.storage.remove_unfinished(now + hour).unwrap(), 1);
    assert_eq!(fixture.incoming(), 0);
    assert_eq!(fixture.ids(None, 9), [id(1)]);
}

#[cfg(unix)]
#[test]
fn files_and_folders_are_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let fixture = Fixture::new();
    fixture.put(id(1), b"x");
    let root = fixture.folder.path().join("files");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&root), 0o700);
    assert_eq!(mode(&root.join(INCOMING)), 0o700);
    assert_eq!(mode(&fixture.storage.shard(id(1))), 0o700);
    assert_eq!(mode(&fixture.storage.path_of(id(1))), 0o600);
}

#[test]
fn a_missing_storage_folder_is_unavailable() {
    let fixture = Fixture::new();
    fs::remove_dir_all(&fixture.storage.root).unwrap();
    let put = fixture.storage.put(id(1), &mut &b"x"[..]);
    assert!(matches!(put, Err(StorageError::Unavailable { .. })));
    let listed = fixture.storage.list(None, 9);
    assert!(matches!(listed, Err(StorageError::Unavailable { .. })));
    assert!(fixture.storage.probe().is_err());
}

#[test]
fn a_full_disk_is_distinguished_from_an_unavailable_one() {
    let told = |kind: io::ErrorKind| failed("store a file")(kind.into());
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        assert!(matches!(told(kind), StorageError::Full { .. }), "{kind}");
    }
    let gone = told(io::ErrorKind::NotFound);
    assert!(matches!(gone, StorageError::Unavailable { .. }));
}

#[test]
fn the_id_of_a_folder_is_stored_and_not_listed_as_a_file() {
    let fixture = Fixture::new();
    assert_eq!(fixture.storage.storage_id().unwrap(), None);
    for byte in [1, 2] {
        let id = StorageId::from_random([byte; 16]);
        fixture.storage.set_storage_id(id).unwrap();
        let again = FolderStorage::open(&fixture.storage.root).unwrap();
        assert_eq!(again.storage_id().unwrap(), Some(id));
    }
    assert_eq!(fixture.ids(None, 10), []);
    assert_eq!(fixture.incoming(), 0);
    fs::write(fixture.storage.root.join(MARKER), "torn").unwrap();
    assert!(fixture.storage.storage_id().is_err());
}
