//! Verification that all stored data can be read and is unchanged.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::Arc;

use ideavault_domain::comment::CommentScope;
use ideavault_domain::content::Content;
use ideavault_domain::digest::{Digest, Digester};
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{Idea, Revision};
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{BlobStore, Database, DatabaseError, StorageError, Transaction};
use thiserror::Error;

/// Ideas or files read per query.
const PAGE: i64 = 100;

/// Counts of what was verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Ideas, deleted ones included.
    pub ideas: usize,
    /// Revisions whose content matches the recorded SHA-256.
    pub revisions: usize,
    /// Comments.
    pub comments: usize,
    /// Entries of the activity evidence.
    pub evidence: usize,
    /// Files whose bytes match the recorded SHA-256.
    pub files: usize,
    /// Files known to be lost.
    pub lost: usize,
}

/// The state of one file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// The bytes match the recorded SHA-256.
    Intact,
    /// The bytes cannot be read, or differ from the upload.
    Damaged,
    /// The file was deleted.
    Deleted,
}

/// The first defect found in the stored data.
#[derive(Debug, Error)]
pub enum VerificationError {
    /// A revision's content differs from what was saved.
    #[error("revision {number} of idea {idea} is not what was saved")]
    Revision {
        /// The idea concerned.
        idea: IdeaId,
        /// The revision's number.
        number: i32,
    },
    /// A file differs from what was uploaded.
    #[error("the file {0} is not what was uploaded")]
    File(FileId),
    /// The bytes of a file cannot be read.
    #[error("the file {id} cannot be read")]
    Unreadable {
        /// The file concerned.
        id: FileId,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// The storage failed to open a file.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Verification of an installation.
pub struct Verification<S> {
    database: Arc<S>,
    storage: Arc<dyn BlobStore>,
    lost: BTreeSet<FileId>,
}

impl<S: Database> Verification<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, storage: Arc<dyn BlobStore>) -> Self {
        Self {
            database,
            storage,
            lost: BTreeSet::new(),
        }
    }

    /// Returns a verification that skips files known to be lost.
    #[must_use]
    pub fn without(self, lost: BTreeSet<FileId>) -> Self {
        Self { lost, ..self }
    }

    /// Reads one file and compares it with the recorded SHA-256.
    ///
    /// # Errors
    /// [`VerificationError::Database`].
    pub fn file_state(&self, id: FileId) -> Result<FileState, VerificationError> {
        let file = match self.database.read(|tx| tx.files().file(id)) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(FileState::Deleted),
            // The bytes can no longer be decrypted.
            Err(DatabaseError::Internal { .. }) => return Ok(FileState::Damaged),
            Err(error) => return Err(error.into()),
        };
        Ok(match self.verify_file(&file) {
            Ok(()) => FileState::Intact,
            Err(_) => FileState::Damaged,
        })
    }

    /// Returns the ideas with a kept revision that shows a file.
    ///
    /// # Errors
    /// [`VerificationError::Database`].
    pub fn ideas_of(&self, file: FileId) -> Result<Vec<IdeaId>, VerificationError> {
        let ideas = self
            .database
            .read(|tx| tx.files().ideas_with_revisions_showing(file));
        Ok(ideas?)
    }

    /// Reads everything and compares it with the recorded SHA-256 where there is one.
    ///
    /// # Errors
    /// [`VerificationError`] at the first defect.
    pub fn verify(&self) -> Result<Verified, VerificationError> {
        let mut verified = Verified::default();
        self.verify_ideas(&mut verified)?;
        self.verify_files(&mut verified)?;
        Ok(verified)
    }

    fn verify_ideas(&self, verified: &mut Verified) -> Result<(), VerificationError> {
        let mut last = None;
        loop {
            let page: Vec<Idea> = self.database.read(|tx| {
                let page = tx.inspection().ideas_after(last, PAGE)?;
                for idea in &page {
                    verify_idea(tx, idea, verified)?;
                }
                Ok::<_, VerificationError>(page)
            })?;
            match page.last() {
                Some(idea) => last = Some(idea.id),
                None => return Ok(()),
            }
        }
    }

    fn verify_files(&self, verified: &mut Verified) -> Result<(), VerificationError> {
        let mut last = None;
        loop {
            let page = self
                .database
                .read(|tx| tx.inspection().files_after(last, PAGE));
            let page: Vec<StoredFile> = page.map_err(VerificationError::Database)?;
            for file in &page {
                if self.lost.contains(&file.id) {
                    verified.lost += 1;
                    continue;
                }
                self.verify_file(file)?;
                verified.files += 1;
            }
            match page.last() {
                Some(file) => last = Some(file.id),
                None => return Ok(()),
            }
        }
    }

    fn verify_file(&self, file: &StoredFile) -> Result<(), VerificationError> {
        let mut bytes = self.storage.open(file, 0..file.size)?;
        let unreadable = |source| VerificationError::Unreadable {
            id: file.id,
            source,
        };
        if digest_of(&mut bytes).map_err(unreadable)? == file.sha256 {
            Ok(())
        } else {
            Err(VerificationError::File(file.id))
        }
    }
}

fn verify_idea(
    tx: &mut dyn Transaction,
    idea: &Idea,
    verified: &mut Verified,
) -> Result<(), VerificationError> {
    let mut paging = Paging::default();
    loop {
        let page = tx.ideas().revisions_of(idea.id, paging)?;
        paging.after = page.next();
        for revision in page.into_items() {
            verify_revision(tx, idea, &revision, verified)?;
        }
        if paging.after.is_none() {
            break;
        }
    }
    verified.ideas += 1;
    verified.comments += length(|paging| {
        tx.comments()
            .comments_on(idea.id, &CommentScope::All, paging)
    })?;
    verified.evidence += length(|paging| tx.recipients().activity_of(idea.id, paging))?;
    Ok(())
}

fn verify_revision(
    tx: &mut dyn Transaction,
    idea: &Idea,
    revision: &Revision,
    verified: &mut Verified,
) -> Result<(), VerificationError> {
    if !revision.is_kept && revision.number != idea.revision {
        // Erased, because it was old and nobody had seen it.
        return Ok(());
    }
    let content = tx.ideas().revision_content(idea.id, revision.number)?;
    if !is_as_saved(tx, revision, content.as_ref())? {
        return Err(VerificationError::Revision {
            idea: idea.id,
            number: revision.number,
        });
    }
    verified.revisions += 1;
    Ok(())
}

/// Counts the rows of a paged list.
fn length<T>(
    mut read: impl FnMut(Paging) -> Result<Page<T>, DatabaseError>,
) -> Result<usize, DatabaseError> {
    let mut length = 0;
    let mut paging = Paging::default();
    loop {
        let page = read(paging)?;
        paging.after = page.next();
        length += page.into_items().len();
        if paging.after.is_none() {
            return Ok(length);
        }
    }
}

/// The digest of a PDF's revision is that of its file: see
/// [`Draft::sha256`](ideavault_domain::idea::Draft::sha256).
fn is_as_saved(
    tx: &mut dyn Transaction,
    revision: &Revision,
    content: Option<&Content>,
) -> Result<bool, DatabaseError> {
    let Some(content) = content else {
        return Ok(false);
    };
    if !matches!(content, Content::Pdf { .. }) {
        return Ok(content.digest() == revision.sha256);
    }
    for id in content.files() {
        if let Some(file) = tx.files().file(id)? {
            return Ok(file.sha256 == revision.sha256);
        }
    }
    Ok(false)
}

fn digest_of(bytes: &mut dyn Read) -> io::Result<Digest> {
    let mut digester = Digester::default();
    io::copy(bytes, &mut digester)?;
    Ok(digester.finish())
}

#[cfg(test)]
mod tests;
