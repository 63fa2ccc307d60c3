//! Reading files: one's own, and those that a disclosed idea shows.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::{FileKind, StoredFile};
use ideavault_domain::ids::{FileId, UserId, ViewGrantId};
use ideavault_domain::ports::{
    Clock, FileStorage, PortError, Random, Registration, Session, StorageError, Store, StoreError,
};
use ideavault_domain::recipient::ViewGrant;
use ideavault_domain::visit::Access;
use thiserror::Error;

use crate::comments::Caller;
use crate::gate::{open_registrations, settle};
use crate::notifications::note_view;
use crate::random;

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum FileError {
    /// Absent, or not for the caller.
    #[error("no such file")]
    NotFound,
    /// Something still shows it; the text says what.
    #[error("{0}")]
    InUse(String),
    /// It is on record, and its bytes cannot be read.
    #[error("the bytes of a file cannot be read")]
    Unreadable(#[source] StorageError),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
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
            FileError::Store(error) => error.into(),
            FileError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// A file that the caller may have.
pub struct OpenedFile {
    /// Everything but its bytes.
    pub file: StoredFile,
    /// The part that was asked for.
    pub content: Option<Box<dyn Read + Send>>,
}

/// Files.
pub struct Files<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    storage: Arc<dyn FileStorage>,
    view_window: Duration,
}

/// How somebody comes to read a file.
enum Entitlement {
    /// It is theirs, or a counted view of an idea that shows it is running.
    Free,
    /// A view has to be counted first.
    Claimable(Box<Registration>),
}

impl<S: Store> Files<S> {
    /// Wires the area. A counted view lasts `view_window`.
    pub fn new(
        store: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        storage: Arc<dyn FileStorage>,
        view_window: Duration,
    ) -> Self {
        Self {
            store,
            clock,
            random,
            storage,
            view_window,
        }
    }

    /// Opens a file for its owner, or for a recipient to whom the gate opens
    /// an idea whose current revision shows it. `part` chooses what of it to
    /// read; when it wants bytes and no counted view is running, one is
    /// counted, as it is for the content itself (design section 5), but only when
    /// the file can be read.
    ///
    /// # Errors
    /// [`FileError::NotFound`] when it is absent or not for the caller;
    /// [`FileError::Unreadable`].
    pub fn open(
        &self,
        caller: &Caller,
        id: FileId,
        part: impl FnOnce(&StoredFile) -> Option<Range<u64>>,
    ) -> Result<OpenedFile, FileError> {
        let now = self.clock.now();
        settle(self.store.as_ref(), caller.viewer.as_ref(), now)?;
        let (file, entitlement) = self
            .store
            .read(|session| entitled(session, caller, id, now))?;
        let Some(part) = part(&file) else {
            return Ok(OpenedFile {
                file,
                content: None,
            });
        };
        let opened = self.read_then_count(caller, &file, entitlement, part, now);
        match opened {
            Ok(content) => Ok(OpenedFile {
                file,
                content: Some(content),
            }),
            // It can have been deleted since it was looked up.
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
        now: Timestamp,
    ) -> Result<Box<dyn Read + Send>, FileError> {
        if matches!(entitlement, Entitlement::Claimable(_)) {
            check_readable(self.storage.as_ref(), file).map_err(FileError::Unreadable)?;
        }
        let content = self.storage.open(file, part);
        let content = content.map_err(FileError::Unreadable)?;
        if matches!(entitlement, Entitlement::Claimable(_)) {
            self.claim(caller, file.id, now)?;
        }
        Ok(content)
    }

    fn is_known(&self, id: FileId) -> Result<bool, StoreError> {
        self.store.read(|session| Ok(session.file(id)?.is_some()))
    }

    /// The user's images, newest first.
    ///
    /// # Errors
    /// [`FileError::Store`].
    pub fn assets(&self, user: UserId) -> Result<Vec<StoredFile>, FileError> {
        Ok(self.store.read(|session| session.images_of(user))?)
    }

    /// Deletes an own image that nothing shows any more: no revision whose content is
    /// kept, and not the profile.
    ///
    /// # Errors
    /// [`FileError::NotFound`], or [`FileError::InUse`].
    pub fn delete_asset(&self, user: UserId, id: FileId) -> Result<(), FileError> {
        self.store.write(|session| {
            let file = session.file(id)?.ok_or(FileError::NotFound)?;
            if file.owner != user || file.kind() != FileKind::Image {
                return Err(FileError::NotFound);
            }
            let owner = session.user(user)?.ok_or(FileError::NotFound)?;
            if owner.profile_image == Some(file.path()) {
                return Err(FileError::InUse(
                    "This is your profile photo. Choose another photo first.".into(),
                ));
            }
            if session.remove_file(id)? {
                return Ok(());
            }
            Err(FileError::InUse(shown_by(session, id)?))
        })?;
        // Only now: bytes without a row are found by the cleanup, a row without bytes
        // would be a loss.
        self.storage.discard(id);
        Ok(())
    }

    /// Counts a view in a writing transaction. What was read before may have
    /// changed, so everything is decided again.
    fn claim(&self, caller: &Caller, id: FileId, now: Timestamp) -> Result<(), FileError> {
        let grant = ViewGrantId::from_random(random::bytes(self.random.as_ref())?);
        self.store.write(|session| {
            let (_, entitlement) = entitled(session, caller, id, now)?;
            let Entitlement::Claimable(registration) = entitlement else {
                return Ok(());
            };
            let idea = session
                .idea(registration.share.idea)?
                .ok_or(FileError::NotFound)?;
            let recipient = &registration.guest.recipient;
            let grant = ViewGrant::begin(grant, recipient, &idea, now, self.view_window);
            if session.claim_view(&grant)? {
                let is_first = registration.guest.grant.is_none();
                note_view(session, &grant, is_first)?;
                return Ok(());
            }
            // No view is left, unless for another request of this browser,
            // which was faster: viewers of PDFs ask for several parts at once.
            match entitled(session, caller, id, now)? {
                (_, Entitlement::Free) => Ok(()),
                (_, Entitlement::Claimable(_)) => Err(FileError::NotFound),
            }
        })
    }
}

/// Names an idea that shows a file.
fn shown_by(session: &mut dyn Session, id: FileId) -> Result<String, StoreError> {
    let ideas = session.ideas_with_revisions_showing(id)?;
    let first = match ideas.first() {
        Some(idea) => session.idea(*idea)?,
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
        "{title}{others} still {verb} this image, now or in an earlier revision."
    ))
}

/// Reads the first and the last byte of a file: it is there, of the length on
/// record, and decrypts.
///
/// # Errors
/// [`StorageError`].
pub(crate) fn check_readable(
    storage: &dyn FileStorage,
    file: &StoredFile,
) -> Result<(), StorageError> {
    let ends = [0, file.size.saturating_sub(1)];
    for at in ends.into_iter().take_while(|at| *at < file.size) {
        let mut byte = [0];
        let mut content = storage.open(file, at..at + 1)?;
        content
            .read_exact(&mut byte)
            .map_err(|source| StorageError::Unavailable {
                operation: "read a file",
                source: Box::new(source),
            })?;
    }
    Ok(())
}

fn entitled(
    session: &mut dyn Session,
    caller: &Caller,
    id: FileId,
    now: Timestamp,
) -> Result<(StoredFile, Entitlement), FileError> {
    let file = session.file(id)?.ok_or(FileError::NotFound)?;
    if caller.user == Some(file.owner) {
        return Ok((file, Entitlement::Free));
    }
    let Some(registrations) = open_registrations(session, caller.viewer.as_ref(), now)? else {
        return Err(FileError::NotFound);
    };
    let showing = session.ideas_showing(id)?;
    let mut claimable = None;
    for (registration, access) in registrations {
        if !showing.contains(&registration.share.idea) {
            continue;
        }
        match access {
            Access::Viewing { .. } => return Ok((file, Entitlement::Free)),
            Access::Claimable => claimable = claimable.or(Some(registration)),
            Access::Dead | Access::Collect | Access::Verify | Access::Nda => {}
        }
    }
    let registration = claimable.ok_or(FileError::NotFound)?;
    Ok((file, Entitlement::Claimable(Box::new(registration))))
}

#[cfg(test)]
mod tests;
