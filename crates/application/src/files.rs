//! Reading files: own files, and those shown by a disclosed idea.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::{FileKind, StoredFile};
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::ids::{FileId, IdeaId, UserId, ViewGrantId};
use ideavault_domain::ports::{
    BlobStore, Database, DatabaseError, PortError, StorageError, Transaction,
};
use ideavault_domain::recipient::ViewGrant;
use thiserror::Error;

use crate::actor::Caller;
use crate::deps::Deps;
use crate::random;
use crate::recording::{file_delivered, is_file_delivered};
use crate::viewers::{activate_new_key, open_registrations};
use crate::views::begin_view;

/// The reason why a file was not returned.
#[derive(Debug, Error)]
pub enum FileError {
    /// Absent, or not accessible to the caller.
    #[error("no such file")]
    NotFound,
    /// Still in use; the text says by what.
    #[error("{0}")]
    InUse(String),
    /// The row exists, but the bytes cannot be read.
    #[error("the bytes of a file cannot be read")]
    Unreadable(#[source] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::NotFound => Self::NotFound,
            FileError::InUse(message) => Self::Conflict(message),
            FileError::Unreadable(_) => Self::FileUnavailable(Box::new(error)),
            FileError::Database(error) => error.into(),
            FileError::Port(error) => error.into(),
        }
    }
}

/// A file that the caller may read.
pub struct OpenedFile {
    /// The file's row.
    pub file: StoredFile,
    /// The requested part of the bytes.
    pub content: Option<Box<dyn Read + Send>>,
}

/// File actions.
pub struct Files<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
    view_window: Duration,
}

/// The reason why somebody may read a file.
enum Entitlement {
    /// It is an own file.
    Own,
    /// A view of an idea that shows it is active.
    Viewing(Box<(IdeaId, ViewGrant)>),
    /// A view must be counted first.
    ReadyToView(Box<(IdeaId, RecipientProgress)>),
}

impl<S: Database> Files<S> {
    /// Creates the service from its dependencies. A counted view lasts `view_window`.
    pub fn new(deps: Deps<S>, storage: Arc<dyn BlobStore>, view_window: Duration) -> Self {
        Self {
            deps,
            storage,
            view_window,
        }
    }

    /// Opens a file for its owner, or for a recipient who may read an idea whose
    /// current revision shows it. `part` chooses the bytes to read. When it requests
    /// bytes and no counted view is active, a view is counted, as for the content
    /// itself (`docs/rules.md#share-views`), but only if the file can be read.
    ///
    /// # Errors
    /// [`FileError::NotFound`] when it is absent or not accessible to the caller;
    /// [`FileError::Unreadable`].
    pub fn open(
        &self,
        caller: &Caller,
        id: FileId,
        part: impl FnOnce(&StoredFile) -> Option<Range<u64>>,
    ) -> Result<OpenedFile, FileError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        let (file, entitlement) = self
            .deps
            .database
            .read(|tx| entitled(tx, caller, id, now))?;
        let Some(part) = part(&file) else {
            return Ok(OpenedFile {
                file,
                content: None,
            });
        };
        let opened = self.read_then_count(caller, &file, entitlement, part);
        match opened {
            Ok(content) => Ok(OpenedFile {
                file,
                content: Some(content),
            }),
            // It may have been deleted since the lookup.
            Err(FileError::Unreadable(StorageError::Missing { .. })) if !self.is_known(id)? => {
                Err(FileError::NotFound)
            }
            Err(error) => Err(error),
        }
    }

    fn read_then_count(
        &self,
        caller: &Caller,
        file: &StoredFile,
        entitlement: Entitlement,
        part: Range<u64>,
    ) -> Result<Box<dyn Read + Send>, FileError> {
        if matches!(entitlement, Entitlement::ReadyToView(_)) {
            check_readable(self.storage.as_ref(), file).map_err(FileError::Unreadable)?;
        }
        let content = self.storage.open(file, part);
        let content = content.map_err(FileError::Unreadable)?;
        match entitlement {
            Entitlement::Own => {}
            Entitlement::Viewing(_) => self.record_delivery(caller, file)?,
            Entitlement::ReadyToView(_) => self.claim(caller, file)?,
        }
        Ok(content)
    }

    /// Records that the file is sent in a view, before it is. Decides again whether the view is
    /// active, because the storage or the writing transaction may have been waited for.
    fn record_delivery(&self, caller: &Caller, file: &StoredFile) -> Result<(), FileError> {
        let database = &self.deps.database;
        let is_recorded =
            database.read(
                |tx| match viewing(tx, caller, file.id, self.deps.clock.now())? {
                    Some((_, grant)) => Ok::<_, FileError>(is_file_delivered(tx, &grant, file)?),
                    None => Ok(true),
                },
            )?;
        if is_recorded {
            return Ok(());
        }
        database.write(|tx| {
            let now = self.deps.clock.now();
            if let Some((idea, grant)) = viewing(tx, caller, file.id, now)? {
                file_delivered(tx, (idea, &grant), file, now)?;
            }
            Ok(())
        })
    }

    fn is_known(&self, id: FileId) -> Result<bool, DatabaseError> {
        self.deps
            .database
            .read_one(|tx| Ok(tx.files().file(id)?.is_some()))
    }

    /// Returns the user's images, newest first.
    pub fn assets(&self, user: UserId) -> Result<Vec<StoredFile>, FileError> {
        Ok(self
            .deps
            .database
            .read_one(|tx| tx.files().images_of(user))?)
    }

    /// Deletes an own image that neither a kept revision nor the profile shows.
    ///
    /// # Errors
    /// [`FileError::NotFound`], or [`FileError::InUse`].
    pub fn delete_asset(&self, user: UserId, id: FileId) -> Result<(), FileError> {
        self.deps.database.write(|tx| {
            let file = tx.files().file(id)?.ok_or(FileError::NotFound)?;
            if file.owner != user || file.kind() != FileKind::Image {
                return Err(FileError::NotFound);
            }
            let owner = tx.users().user(user)?.ok_or(FileError::NotFound)?;
            if owner.profile_image == Some(file.path()) {
                return Err(FileError::InUse(
                    "This is your profile photo. Choose another photo first.".into(),
                ));
            }
            if tx.files().remove_file(id)? {
                return Ok(());
            }
            Err(FileError::InUse(shown_by(tx, id)?))
        })?;
        // After the commit: cleanup removes bytes without a row, but a row without
        // bytes would be a loss.
        self.storage.discard(id);
        Ok(())
    }

    /// Counts a view, and records the file as sent in it. Decides everything again in the writing
    /// transaction, because data read before may have changed, and the link may have expired until
    /// it may write.
    fn claim(&self, caller: &Caller, file: &StoredFile) -> Result<(), FileError> {
        let grant = ViewGrantId::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let (id, reader) = match entitled(tx, caller, file.id, now)? {
                (_, Entitlement::Own) => return Ok(()),
                // A concurrent request of this browser has counted it.
                (_, Entitlement::Viewing(view)) => {
                    let (idea, grant) = &*view;
                    return Ok(file_delivered(tx, (*idea, grant), file, now)?);
                }
                (_, Entitlement::ReadyToView(ready)) => *ready,
            };
            let idea = tx.ideas().disclosed_idea(id)?.ok_or(FileError::NotFound)?;
            let grant =
                ViewGrant::begin(grant, &reader.recipient, &idea.idea, now, self.view_window);
            if begin_view(tx, &idea, &grant, reader.grant.is_none())? {
                return Ok(file_delivered(tx, (id, &grant), file, now)?);
            }
            // No view is left, unless a concurrent request of this browser took it:
            // PDF viewers request several parts at once.
            if let Some((idea, grant)) = viewing(tx, caller, file.id, now)? {
                file_delivered(tx, (idea, &grant), file, now)?;
            }
            Ok(())
        })
    }
}

/// Names an idea that shows a file.
fn shown_by(tx: &mut dyn Transaction, id: FileId) -> Result<String, DatabaseError> {
    let ideas = tx.files().ideas_with_revisions_showing(id)?;
    let first = match ideas.first() {
        Some(idea) => tx.ideas().idea(*idea)?,
        None => None,
    };
    let title = first.map_or_else(|| "An idea".into(), |idea| format!("“{}”", idea.title));
    let others = match ideas.len() {
        0 | 1 => String::new(),
        2 => " and one other idea".into(),
        count => format!(" and {} other ideas", count - 1),
    };
    let verb = if ideas.len() > 1 { "show" } else { "shows" };
    Ok(format!(
        "{title}{others} still {verb} this image, now or in an earlier version."
    ))
}

/// Reads the first and the last byte of a file, which checks that it exists, has the
/// recorded length, and decrypts.
pub(crate) fn check_readable(
    storage: &dyn BlobStore,
    file: &StoredFile,
) -> Result<(), StorageError> {
    let ends = [0, file.size.saturating_sub(1)];
    for at in ends.into_iter().take_while(|at| *at < file.size) {
        let mut byte = [0];
        let mut content = storage.open(file, at..at + 1)?;
        content
            .read_exact(&mut byte)
            .map_err(StorageError::reading("read a file", file.id))?;
    }
    Ok(())
}

/// Returns whether the storage has all of a file; `false` if it is lost or damaged.
///
/// # Errors
/// [`StorageError`] if the storage cannot be read at the moment.
pub(crate) fn is_intact(storage: &dyn BlobStore, file: &StoredFile) -> Result<bool, StorageError> {
    let read = storage.open(file, 0..file.size).and_then(|mut content| {
        let read = io::copy(&mut content, &mut io::sink());
        read.map_err(StorageError::reading("read a file", file.id))
    });
    match read {
        Ok(size) => Ok(size == file.size),
        Err(StorageError::Missing { .. } | StorageError::Damaged { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the active view of an idea that shows the file; `None` if it is the caller's own.
///
/// # Errors
/// [`FileError::NotFound`] if the caller may not read it now.
fn viewing(
    tx: &mut dyn Transaction,
    caller: &Caller,
    id: FileId,
    now: Timestamp,
) -> Result<Option<(IdeaId, ViewGrant)>, FileError> {
    match entitled(tx, caller, id, now)? {
        (_, Entitlement::Own) => Ok(None),
        (_, Entitlement::Viewing(view)) => Ok(Some(*view)),
        (_, Entitlement::ReadyToView(_)) => Err(FileError::NotFound),
    }
}

fn entitled(
    tx: &mut dyn Transaction,
    caller: &Caller,
    id: FileId,
    now: Timestamp,
) -> Result<(StoredFile, Entitlement), FileError> {
    let file = tx.files().file(id)?.ok_or(FileError::NotFound)?;
    if caller.user == Some(file.owner) {
        return Ok((file, Entitlement::Own));
    }
    let Some(registrations) = open_registrations(tx, caller.viewer.as_ref(), now)? else {
        return Err(FileError::NotFound);
    };
    let showing = tx.files().ideas_showing(id)?;
    let mut claimable = None;
    for gate in &registrations {
        let idea = gate.share.idea;
        if !showing.contains(&idea) {
            continue;
        }
        let Ok(view) = gate.require_view(now) else {
            continue;
        };
        if let Some(grant) = view.active {
            return Ok((file, Entitlement::Viewing(Box::new((idea, grant.clone())))));
        }
        claimable = claimable.or(Some((idea, view.reader)));
    }
    let (idea, reader) = claimable.ok_or(FileError::NotFound)?;
    let ready = Entitlement::ReadyToView(Box::new((idea, reader.clone())));
    Ok((file, ready))
}

#[cfg(test)]
mod tests {
    use ideavault_domain::digest::Digest;
    use ideavault_domain::file::MediaType;
    use ideavault_domain::file_name::FileName;
    use ideavault_domain::keys::WrappedKey;
    use ideavault_domain::ports::StoredBytes;
    use mockall::mock;

    use super::*;

    mock! {
        Storage {}

        impl BlobStore for Storage {
            fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError>;
            fn open(&self, file: &StoredFile, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError>;
            fn discard(&self, id: FileId);
            fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;
            fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_now_is_not_taken_for_lost() {
        let file = StoredFile {
            id: FileId::from_random([3; 16]),
            owner: UserId::from_random([1; 16]),
            media_type: MediaType::Pdf,
            name: FileName::clean("Kettle.pdf", "file"),
            size: 1_000,
            sha256: Digest::of(b"%PDF-1.7"),
            created_at: Timestamp::UNIX_EPOCH,
            key: WrappedKey::from_stored(vec![7]),
        };
        let reading = |content: fn() -> Box<dyn Read + Send>| {
            let mut storage = MockStorage::new();
            storage.expect_open().returning(move |_, _| Ok(content()));
            is_intact(&storage, &file)
        };
        struct Failing(io::ErrorKind);
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
        }
        assert!(reading(|| Box::new(io::repeat(b'%').take(1_000))).unwrap());
        assert!(!reading(|| Box::new(io::repeat(b'%').take(999))).unwrap());
        assert!(!reading(|| Box::new(Failing(io::ErrorKind::InvalidData))).unwrap());
        let now = reading(|| Box::new(Failing(io::ErrorKind::TimedOut)));
        assert!(
            matches!(now, Err(StorageError::Unavailable { .. })),
            "{now:?}"
        );
        let mut lost = MockStorage::new();
        lost.expect_open().returning(|file, _| {
            Err(StorageError::Missing {
                operation: "open",
                id: file.id,
            })
        });
        assert!(!is_intact(&lost, &file).unwrap());
    }
}
