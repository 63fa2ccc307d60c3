//! Whether everything that is stored can be read, and is what it was.

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

/// How many ideas or files are read at a time.
const PAGE: i64 = 100;

/// What was found in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Ideas, deleted ones included.
    pub ideas: usize,
    /// Revisions whose content has the SHA-256 that is on record.
    pub revisions: usize,
    /// Comments.
    pub comments: usize,
    /// Entries of the evidence of who saw what.
    pub evidence: usize,
    /// Files whose bytes have the SHA-256 that is on record.
    pub files: usize,
    /// Files that are known to be lost.
    pub lost: usize,
}

/// What is known of the bytes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// They have the SHA-256 that is on record.
    Intact,
    /// They cannot be read, or are not what was uploaded.
    Damaged,
    /// The file was deleted.
    Deleted,
}

/// What is wrong with what is stored.
#[derive(Debug, Error)]
pub enum VerificationError {
    /// A content is not the one that was saved.
    #[error("revision {number} of idea {idea} is not what was saved")]
    Revision {
        /// Of which idea.
        idea: IdeaId,
        /// Which revision.
        number: i32,
    },
    /// A file is not the one that was uploaded.
    #[error("the file {0} is not what was uploaded")]
    File(FileId),
    /// The bytes of a file cannot be read.
    #[error("the file {id} cannot be read")]
    Unreadable {
        /// Which file.
        id: FileId,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The bytes of a file cannot be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The store cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Verifications of a whole installation.
pub struct Verification<S> {
    database: Arc<S>,
    storage: Arc<dyn BlobStore>,
    lost: BTreeSet<FileId>,
}

impl<S: Database> Verification<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, storage: Arc<dyn BlobStore>) -> Self {
        Self {
            database,
            storage,
            lost: BTreeSet::new(),
        }
    }

    /// The same, where the bytes of these files are known to be lost.
    #[must_use]
    pub fn without(self, lost: BTreeSet<FileId>) -> Self {
        Self { lost, ..self }
    }

    /// Reads one file, and compares it with the SHA-256 on record.
    ///
    /// # Errors
    /// [`VerificationError::Database`] when the store cannot answer.
    pub fn file_state(&self, id: FileId) -> Result<FileState, VerificationError> {
        let file = match self.database.read(|tx| tx.files().file(id)) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(FileState::Deleted),
            // Nothing opens the bytes any more.
            Err(DatabaseError::Internal { .. }) => return Ok(FileState::Damaged),
            Err(error) => return Err(error.into()),
        };
        Ok(match self.verify_file(&file) {
            Ok(()) => FileState::Intact,
            Err(_) => FileState::Damaged,
        })
    }

    /// The ideas of which a revision that is kept shows a file.
    ///
    /// # Errors
    /// [`VerificationError::Database`].
    pub fn ideas_of(&self, file: FileId) -> Result<Vec<IdeaId>, VerificationError> {
        let ideas = self
            .database
            .read(|tx| tx.files().ideas_with_revisions_showing(file));
        Ok(ideas?)
    }

    /// Reads everything, and compares what has a SHA-256 on record with it.
    ///
    /// # Errors
    /// [`VerificationError`] at the first thing that is wrong.
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
    for revision in tx.ideas().revisions_of(idea.id)? {
        if !revision.is_kept && revision.number != idea.revision {
            // Erased, since it was old and nobody had seen it.
            continue;
        }
        let content = tx.ideas().revision_content(idea.id, revision.number)?;
        if !is_as_saved(tx, &revision, content.as_ref())? {
            return Err(VerificationError::Revision {
                idea: idea.id,
                number: revision.number,
            });
        }
        verified.revisions += 1;
    }
    verified.ideas += 1;
    verified.comments += length(|paging| {
        tx.comments()
            .comments_on(idea.id, &CommentScope::All, paging)
    })?;
    verified.evidence += length(|paging| tx.recipients().activity_of(idea.id, paging))?;
    Ok(())
}

/// Reads a list to its end.
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
