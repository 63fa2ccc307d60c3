//! Download of the document, if the link allows it.

use std::convert::Infallible;
use std::io::Read as _;
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::content::Content;
use ideavault_domain::content::embedding::{carrier, data_address, embed};
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::FileFacts;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::{FileKind, StoredFile};
use ideavault_domain::gate::Refusal;
use ideavault_domain::idea::Revision;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{
    BlobStore, Clock, Database, DatabaseError, FoundGate, GateAddress, StorageError, Transaction,
};
use ideavault_domain::recipient::ViewGrant;
use ideavault_domain::token::Token;
use thiserror::Error;

use self::page::Facts;
use super::ShareAccessError;
use super::loaded_gate::find_gate;
use super::lookup::content_of;
use crate::files::OpenedFile;
use crate::recording::{downloaded, is_revision_delivered, revision_delivered};
use crate::viewers::activate_new_key;

mod page;

/// Most bytes of images in a page; further images are left out.
const IMAGES_MAX: u64 = 32 * 1024 * 1024;

/// The reason why a document could not be downloaded.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// The gate denied access.
    #[error(transparent)]
    Gate(#[from] ShareAccessError),
    /// No view is active.
    #[error("the document is not open")]
    NotOpen,
    /// The link does not allow downloads.
    #[error("the link allows no download")]
    NotAllowed,
    /// The owner saved another revision while the document was produced.
    #[error("the document has a newer revision")]
    Outdated,
    /// A file could not be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<Refusal> for DownloadError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Ended | Refusal::UsedUp => Self::Gate(refusal.into()),
            Refusal::Unregistered | Refusal::Unconfirmed | Refusal::NotAgreed => Self::NotOpen,
        }
    }
}

impl From<DownloadError> for Failure {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::Gate(error) => error.into(),
            DownloadError::NotOpen => {
                Self::Forbidden("Please open the document first, then download it.".into())
            }
            DownloadError::NotAllowed => {
                Self::Forbidden("The owner of this link does not allow downloads.".into())
            }
            DownloadError::Outdated => Self::Conflict(
                "The owner has just changed the document. Please download it again.".into(),
            ),
            DownloadError::Storage(error) => error.into(),
            DownloadError::Database(error) => error.into(),
        }
    }
}

/// A downloadable document.
pub enum Download {
    /// The imported PDF, unchanged.
    File(OpenedFile),
    /// Any other content, as one self-contained HTML page.
    Page {
        /// Suggested file name.
        name: String,
        /// The page.
        html: String,
    },
}

/// A permitted download that was not produced yet.
pub struct Prepared {
    token: Token,
    viewer: Option<Token>,
    facts: Facts,
    content: Content,
    files: Vec<StoredFile>,
}

impl Prepared {
    /// Returns whether an HTML page must be rendered, with all its images.
    #[must_use]
    pub fn is_page(&self) -> bool {
        !matches!(self.content, Content::Pdf { .. })
    }
}

/// Document downloads.
pub struct Downloads<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    storage: Arc<dyn BlobStore>,
}

impl<S: Database> Downloads<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>, storage: Arc<dyn BlobStore>) -> Self {
        Self {
            database,
            clock,
            storage,
        }
    }

    /// Looks up the document that is open in a browser, if it may be downloaded.
    ///
    /// # Errors
    /// [`DownloadError::Gate`] when the gate denies access,
    /// [`DownloadError::NotOpen`] when no counted view is active, or
    /// [`DownloadError::NotAllowed`].
    pub fn prepare(&self, token: Token, viewer: Option<Token>) -> Result<Prepared, DownloadError> {
        let now = self.clock.now();
        activate_new_key(self.database.as_ref(), viewer.as_ref(), now)?;
        self.database.read(|tx| {
            let (gate, _) = readable(tx, &token, viewer.as_ref(), now)?;
            let owner = gate.disclosed.idea.owner;
            let content = content_of(tx, &gate.disclosed.idea)?;
            let progress = gate.context.progress.ok_or(DownloadError::NotOpen)?;
            let mut files = Vec::new();
            for id in content.files() {
                files.extend(tx.files().file(id)?.filter(|file| file.owner == owner));
            }
            Ok(Prepared {
                facts: Facts {
                    idea: gate.disclosed.idea,
                    sharer: gate.disclosed.sharer,
                    reader: progress.recipient.name,
                    at: now,
                },
                token: token.clone(),
                viewer: viewer.clone(),
                content,
                files,
            })
        })
    }

    /// Produces the document and records the download in the activity, with the revision if the
    /// view began with an older one. Counts no view.
    ///
    /// # Errors
    /// Those of [`Downloads::prepare`], [`DownloadError::Storage`] when one of its
    /// files cannot be read, or [`DownloadError::Outdated`].
    pub fn finish(&self, prepared: &Prepared) -> Result<Download, DownloadError> {
        // Before recording: an unreadable document was not downloaded.
        let download = self.make(prepared)?;
        let Prepared { token, viewer, .. } = prepared;
        self.database.write(|tx| {
            // Later than it was prepared: it may have waited for its turn.
            let now = self.clock.now();
            let (gate, grant) = readable(tx, token, viewer.as_ref(), now)?;
            let idea = &gate.disclosed.idea;
            // Only the current one can be put on record.
            if idea.revision != prepared.facts.idea.revision {
                return Err(DownloadError::Outdated);
            }
            if !is_revision_delivered(tx, &grant, idea.revision)? {
                revision_delivered(tx, &gate.disclosed, &grant, now)?;
            }
            let (id, file) = match &download {
                Download::File(opened) => (Some(opened.file.id), FileFacts::of(&opened.file)),
                Download::Page { name, html } => {
                    let page = FileFacts {
                        name: name.clone(),
                        media_type: "text/html".into(),
                        sha256: Digest::of(html.as_bytes()).to_string(),
                        original: None,
                    };
                    (None, page)
                }
            };
            downloaded(tx, (idea.id, &grant), id, file, now)?;
            Ok(())
        })?;
        Ok(download)
    }

    fn make(&self, source: &Prepared) -> Result<Download, DownloadError> {
        let body = match &source.content {
            Content::Pdf { .. } => {
                let pdf = source.files.first().ok_or(ShareAccessError::NotFound)?;
                return Ok(Download::File(OpenedFile {
                    content: Some(self.storage.open(pdf, 0..pdf.size)?),
                    file: pdf.clone(),
                }));
            }
            Content::Html(html) => {
                let mut room = IMAGES_MAX;
                embed(html, |id| {
                    image(self.storage.as_ref(), &source.files, id, &mut room)
                })?
            }
            Content::Canvas(canvas) => page::drawing(canvas),
            Content::Legacy(object) => page::texts(object),
        };
        Ok(Download::Page {
            name: source.facts.file_name(),
            html: page::write(
                &source.facts,
                &format!("{body}\n{}", carrier(&source.content)),
            ),
        })
    }
}

/// Returns an own revision as a page; `None` for a PDF, which is one file already. Its images
/// are at what `address` returns.
pub(crate) fn own_page(
    revision: &Revision,
    content: &Content,
    address: impl Fn(FileId) -> Option<String>,
) -> Option<String> {
    let body = match content {
        Content::Pdf { .. } => return None,
        Content::Html(html) => {
            let Ok(html) = embed(html, |id| Ok::<_, Infallible>(address(id)));
            html
        }
        Content::Canvas(canvas) => page::drawing(canvas),
        Content::Legacy(object) => page::texts(object),
    };
    Some(page::write_own(revision, &body))
}

/// Returns an image as a `data:` URL; `None` if it is missing or too large.
fn image(
    storage: &dyn BlobStore,
    files: &[StoredFile],
    id: FileId,
    room: &mut u64,
) -> Result<Option<String>, StorageError> {
    let Some(file) = files
        .iter()
        .find(|file| file.id == id && file.kind() == FileKind::Image)
    else {
        return Ok(None);
    };
    let Some(left) = room.checked_sub(file.size) else {
        return Ok(None);
    };
    *room = left;
    let mut bytes = Vec::new();
    storage
        .open(file, 0..file.size)?
        .read_to_end(&mut bytes)
        .map_err(StorageError::reading("read an image", id))?;
    Ok(Some(data_address(file.media_type, &bytes)))
}

/// Returns what the browser may read, and its active view, if there is one and the link allows
/// downloads.
fn readable(
    tx: &mut dyn Transaction,
    token: &Token,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<(FoundGate, ViewGrant), DownloadError> {
    let gate = find_gate(tx, GateAddress::Token(token.hash()), viewer, false, now)?;
    let active = gate.context.require_view(now)?.active.cloned();
    let grant = active.ok_or(DownloadError::NotOpen)?;
    if !gate.context.share.settings.allow_download {
        return Err(DownloadError::NotAllowed);
    }
    Ok((gate, grant))
}

#[cfg(test)]
mod tests;
