//! Verification that all stored data can be read and is unchanged.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Read};
use std::sync::Arc;

use ideavault_domain::comment::CommentScope;
use ideavault_domain::content::Content;
use ideavault_domain::digest::{Digest, Digester};
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{Idea, Revision};
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{BlobStore, DamagedValue, Database, DatabaseError, Transaction};
use thiserror::Error;

/// Ideas or files read per query.
const PAGE: i64 = 100;

/// Counts of what was verified.
#[derive(Debug, Default)]
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
    /// Items that cannot be read or differ from the record. They are not counted above.
    pub defects: Vec<Defect>,
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

/// A defect of the stored data.
#[derive(Debug, Error)]
pub enum Defect {
    /// A value cannot be read.
    #[error("{0} cannot be read")]
    Value(DamagedValue),
    /// An idea cannot be read.
    #[error("idea {id} cannot be read")]
    Idea {
        /// The idea concerned.
        id: IdeaId,
        /// The underlying error.
        #[source]
        source: DatabaseError,
    },
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
    /// A file cannot be read.
    #[error("the file {id} cannot be read")]
    Unreadable {
        /// The file concerned.
        id: FileId,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl Defect {
    /// Returns whether it is a defect of a file.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        matches!(self, Self::File(_) | Self::Unreadable { .. })
    }
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
    pub fn file_state(&self, id: FileId) -> Result<FileState, DatabaseError> {
        let file = match self.database.read(|tx| tx.files().file(id)) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(FileState::Deleted),
            // The bytes can no longer be decrypted.
            Err(DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }) => {
                return Ok(FileState::Damaged);
            }
            Err(error) => return Err(error),
        };
        Ok(match self.defect_of(&file) {
            None => FileState::Intact,
            Some(_) => FileState::Damaged,
        })
    }

    /// Returns the ideas with a kept revision that shows a file.
    pub fn ideas_of(&self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError> {
        self.database
            .read(|tx| tx.files().ideas_with_revisions_showing(file))
    }

    /// Reads everything and compares it with the recorded SHA-256 where there is one. A
    /// defect does not end it.
    ///
    /// # Errors
    /// [`DatabaseError`] when something other than a stored value cannot be read.
    pub fn verify(&self) -> Result<Verified, DatabaseError> {
        let mut verified = Verified::default();
        self.verify_ideas(&mut verified)?;
        self.verify_files(&mut verified)?;
        Ok(verified)
    }

    fn verify_ideas(&self, verified: &mut Verified) -> Result<(), DatabaseError> {
        let mut last = None;
        loop {
            let page = self
                .database
                .read(|tx| tx.inspection().idea_ids_after(last, PAGE))?;
            for id in &page {
                // A failed statement ends the transaction.
                match self.database.read(|tx| verify_idea(tx, *id, verified)) {
                    Ok(()) => {}
                    Err(
                        source @ (DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }),
                    ) => {
                        verified.defects.push(Defect::Idea { id: *id, source });
                    }
                    Err(error) => return Err(error),
                }
            }
            last = page.last().copied();
            if last.is_none() {
                return Ok(());
            }
        }
    }

    fn verify_files(&self, verified: &mut Verified) -> Result<(), DatabaseError> {
        let mut last = None;
        loop {
            let page = self
                .database
                .read(|tx| tx.inspection().file_ids_after(last, PAGE))?;
            for id in &page {
                if self.lost.contains(id) {
                    verified.lost += 1;
                    continue;
                }
                match self.database.read(|tx| tx.files().file(*id)) {
                    Ok(None) => {}
                    Ok(Some(file)) => match self.defect_of(&file) {
                        None => verified.files += 1,
                        Some(defect) => verified.defects.push(defect),
                    },
                    Err(
                        source @ (DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }),
                    ) => {
                        let source = Box::new(source);
                        verified
                            .defects
                            .push(Defect::Unreadable { id: *id, source });
                    }
                    Err(error) => return Err(error),
                }
            }
            last = page.last().copied();
            if last.is_none() {
                return Ok(());
            }
        }
    }

    fn defect_of(&self, file: &StoredFile) -> Option<Defect> {
        let unreadable = |source| Defect::Unreadable {
            id: file.id,
            source,
        };
        let mut bytes = match self.storage.open(file, 0..file.size) {
            Ok(bytes) => bytes,
            Err(error) => return Some(unreadable(Box::new(error))),
        };
        match digest_of(&mut bytes) {
            Ok(digest) if digest == file.sha256 => None,
            Ok(_) => Some(Defect::File(file.id)),
            Err(error) => Some(unreadable(Box::new(error))),
        }
    }
}

fn verify_idea(
    tx: &mut dyn Transaction,
    id: IdeaId,
    verified: &mut Verified,
) -> Result<(), DatabaseError> {
    let Some(idea) = tx.inspection().inspected_idea(id)? else {
        return Ok(());
    };
    let mut paging = Paging::default();
    loop {
        let page = tx.ideas().revisions_of(id, paging)?;
        paging.after = page.next();
        for revision in page.into_items() {
            verify_revision(tx, &idea, &revision, verified)?;
        }
        if paging.after.is_none() {
            break;
        }
    }
    verified.ideas += 1;
    verified.comments +=
        length(|paging| tx.comments().comments_on(id, &CommentScope::All, paging))?;
    verified.evidence += length(|paging| tx.recipients().activity_of(id, paging))?;
    tx.shares().shares_of(id)?;
    let damaged = tx.inspection().left_out();
    verified
        .defects
        .extend(damaged.into_iter().map(Defect::Value));
    Ok(())
}

fn verify_revision(
    tx: &mut dyn Transaction,
    idea: &Idea,
    revision: &Revision,
    verified: &mut Verified,
) -> Result<(), DatabaseError> {
    if !revision.is_kept && revision.number != idea.revision {
        // Erased, because it was old and nobody had seen it.
        return Ok(());
    }
    let content = tx.ideas().revision_content(idea.id, revision.number)?;
    if is_as_saved(tx, revision, content.as_ref())? {
        verified.revisions += 1;
    } else {
        verified.defects.push(Defect::Revision {
            idea: idea.id,
            number: revision.number,
        });
    }
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
