//! Backup and restore of the file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::prelude::{QueryDsl as _, RunQueryDsl as _};
use diesel::sql_types::Text;

use ideavault_domain::ids::FileId;

use super::repo::schema::file_keys;
use super::{Connection, Sqlite};
use crate::error::BackupError;
use crate::stored;

impl Sqlite {
    /// Copies one snapshot with `VACUUM INTO`, which leaves out the write-ahead log and
    /// deleted data.
    pub(crate) fn back_up(&self, to: &Path) -> Result<Vec<FileId>, BackupError> {
        let name = to.to_str().ok_or(BackupError::Address)?;
        let broken = |error| BackupError::SqlDatabase(Box::new(error));
        let mut connection = Connection::establish(self.path()).map_err(broken)?;
        connection.batch_execute("PRAGMA busy_timeout = 5000")?;
        diesel::sql_query("VACUUM INTO ?")
            .bind::<Text, _>(name)
            .execute(&mut connection)?;
        let durable = File::open(to).and_then(|file| file.sync_all());
        durable.map_err(BackupError::at(to))?;
        let mut copy = Connection::establish(name).map_err(broken)?;
        // A file without a key is erased, even if its bytes are still on the disk.
        let ids: Vec<String> = file_keys::table
            .select(file_keys::file_id)
            .load(&mut copy)?;
        let ids = ids.iter().map(|id| stored::parsed("file id", id));
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

/// The suffixes of the files that SQLite keeps beside the database. It would apply those
/// left over from another database to the restored one.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Creates a file that only its owner may read, whatever the umask and the backup's mode.
fn create_private(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Fails if the file or one of its companion files exists.
pub(crate) fn require_no_file(to: &Path) -> Result<(), BackupError> {
    if to.exists() {
        return Err(BackupError::NotEmpty);
    }
    for companion in COMPANIONS {
        let mut left = to.as_os_str().to_owned();
        left.push(companion);
        let left = PathBuf::from(left);
        if left.exists() {
            return Err(BackupError::LeftOver(left));
        }
    }
    Ok(())
}

/// Copies `from` to `to`, which does not exist. Leaves nothing behind when it fails.
pub(crate) fn restore_file(from: &Path, to: &Path) -> Result<(), BackupError> {
    in_new_file(to, |draft| {
        let copy = || -> io::Result<()> {
            let mut draft = OpenOptions::new().write(true).open(draft)?;
            io::copy(&mut File::open(from)?, &mut draft)?;
            Ok(())
        };
        copy().map_err(BackupError::at(to))
    })
}

/// Has `fill` write an empty file, and then renames it to `to`, which does not exist. Leaves
/// nothing behind when it fails.
pub(crate) fn in_new_file<T, E: From<BackupError>>(
    to: &Path,
    fill: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let draft = to.with_extension("incomplete");
    create_private(&draft).map_err(BackupError::at(to))?;
    let rename = || -> io::Result<()> {
        File::open(&draft)?.sync_all()?;
        fs::rename(&draft, to)?;
        match std::path::absolute(to)?.parent() {
            Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    };
    fill(&draft)
        .and_then(|filled| {
            rename().map_err(BackupError::at(to))?;
            Ok(filled)
        })
        .inspect_err(|_| {
            if let Err(error) = fs::remove_file(&draft) {
                tracing::debug!(draft = %draft.display(), %error, "kept");
            }
        })
}
