//! Uploading files: PDFs that become ideas, and images.

use std::io::{self, Read};
use std::sync::Arc;

use ideavault_domain::account::User;
use ideavault_domain::digest::Digester;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::file::{
    IMAGE_LIMIT, IMAGE_PIXELS_MAX, MediaType, StoredFile, UploadLimit, UploadRefused, check_pdf,
};
use ideavault_domain::file_name::FileName;
use ideavault_domain::idea::{Draft, IdeaWithContent};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{FileId, IdeaId, UserId};
use ideavault_domain::ports::{
    BlobStore, Database, DatabaseError, ImageCleaner, ImageRefused, NewIdea, PdfChecker,
    PdfRefused, PortError, StorageError, Transaction,
};
use ideavault_domain::quota::{QuotaExceeded, Quotas};
use ideavault_domain::text::Title;
use thiserror::Error;

use crate::deps::Deps;
use crate::ideas::{IdeaError, idea_of_key, require_own_idea};
use crate::{random, storage};

/// The reason why an upload failed.
#[derive(Debug, Error)]
pub enum UploadError {
    /// The file is rejected.
    #[error(transparent)]
    Refused(#[from] UploadRefused),
    /// The idea that an image is for could not be loaded.
    #[error(transparent)]
    Idea(#[from] IdeaError),
    /// The same request has stored the file before.
    #[error("the file was uploaded before")]
    UploadedBefore,
    /// The account behind a session no longer exists.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// The uploaded bytes could not be read back.
    #[error("reading an upload failed")]
    Read(#[source] io::Error),
    /// The bytes could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A storage quota is reached.
    #[error(transparent)]
    Quota(#[from] QuotaExceeded),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<UploadError> for Failure {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Refused(refused) => refused.into(),
            UploadError::Idea(error) => error.into(),
            UploadError::UploadedBefore => {
                Self::Conflict("This file has been uploaded already".into())
            }
            UploadError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            UploadError::Read(_) => Self::Unavailable(Box::new(error)),
            UploadError::Storage(error) => error.into(),
            UploadError::Quota(exceeded) => exceeded.into(),
            UploadError::Database(error) => error.into(),
            UploadError::Port(error) => error.into(),
        }
    }
}

/// A received file.
pub struct Upload<'a> {
    /// File name, as the browser declares it.
    pub name: &'a str,
    /// Media type, as the browser declares it.
    pub media_type: &'a str,
    /// Length in bytes.
    pub size: u64,
    /// The bytes.
    pub content: &'a mut dyn Read,
}

/// Upload actions.
pub struct Uploads<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
    images: Arc<dyn ImageCleaner>,
    quotas: Quotas,
    pdfs: Arc<dyn PdfChecker>,
    pdf_limit: UploadLimit,
}

impl<S: Database> Uploads<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        storage: Arc<dyn BlobStore>,
        images: Arc<dyn ImageCleaner>,
        quotas: Quotas,
        pdfs: Arc<dyn PdfChecker>,
        pdf_limit: UploadLimit,
    ) -> Self {
        Self {
            deps,
            storage,
            images,
            quotas,
            pdfs,
            pdf_limit,
        }
    }

    /// Creates a draft from a PDF. A blank title is replaced by the file name. If the user has
    /// created an idea with the same key before, keeps nothing and returns that one as it is now.
    ///
    /// # Errors
    /// [`UploadError::Refused`], [`UploadError::Quota`], or [`UploadError::Idea`] if the idea of
    /// that key is deleted.
    pub fn import_pdf(
        &self,
        user: UserId,
        title: &str,
        upload: Upload<'_>,
        key: Option<IdempotencyKey>,
    ) -> Result<IdeaWithContent, UploadError> {
        self.pdf_limit.check(upload.size)?;
        let mut bytes = Vec::new();
        let mut bounded = upload.content.take(self.pdf_limit.bytes);
        bounded.read_to_end(&mut bytes).map_err(UploadError::Read)?;
        check_pdf(self.pdf_limit, upload.media_type, upload.size, &bytes)?;
        self.pdfs.check(&bytes).map_err(refused_pdf)?;
        let name = FileName::clean(upload.name, "document.pdf");
        let title = Title::of_upload(title, &name);
        let mut whole = bytes.as_slice();
        let imported = self.keep(user, MediaType::Pdf, name, &mut whole, |tx, file| {
            tx.files().add_file(file)?;
            let new = NewIdea {
                owner: user,
                draft: Draft::of_pdf(title.clone(), file),
                created_at: file.created_at,
                key: key.clone(),
            };
            let idea = tx.ideas().add_idea(&new)?;
            Ok(IdeaWithContent {
                idea: idea.ok_or(UploadError::UploadedBefore)?,
                content: new.draft.content,
            })
        });
        match imported {
            Err(UploadError::UploadedBefore) => {
                let read = self
                    .deps
                    .database
                    .read(|tx| idea_of_key(tx, user, key.as_ref()));
                Ok(read?)
            }
            imported => imported,
        }
    }

    /// Adds an image to the user's assets. `idea`, if given, must be the user's; it
    /// is not changed: an idea shows an image once it is saved with it. If the user has uploaded an
    /// image with the same key before, keeps nothing and returns that one.
    ///
    /// # Errors
    /// [`UploadError::Refused`], or [`UploadError::Idea`].
    pub fn add_image(
        &self,
        user: UserId,
        idea: Option<IdeaId>,
        upload: Upload<'_>,
        key: Option<&IdempotencyKey>,
    ) -> Result<StoredFile, UploadError> {
        if let Some(idea) = idea {
            self.deps
                .database
                .read_one(|tx| require_own_idea(tx, user, idea))?;
        }
        match self.keep_image(user, upload, key, |_, file| Ok(file.clone())) {
            Err(UploadError::UploadedBefore) => {
                let found = self.deps.database.read_one(|tx| match key {
                    Some(key) => tx.files().file_of_request(user, key),
                    None => Ok(None),
                })?;
                // Deleted in this moment.
                found.ok_or(UploadError::UploadedBefore)
            }
            kept => kept,
        }
    }

    /// Sets the user's photo; the previous one stays an asset. If the same request has set one
    /// before, keeps and changes nothing.
    ///
    /// # Errors
    /// [`UploadError::Refused`], or [`UploadError::NoSuchUser`].
    pub fn set_profile_image(
        &self,
        user: UserId,
        upload: Upload<'_>,
        key: Option<&IdempotencyKey>,
    ) -> Result<User, UploadError> {
        let set = self.keep_image(user, upload, key, |tx, file| {
            tx.users().set_profile_image(user, &file.path())?;
            tx.users().user(user)?.ok_or(UploadError::NoSuchUser)
        });
        match set {
            Err(UploadError::UploadedBefore) => {
                let found = self.deps.database.read_one(|tx| tx.users().user(user))?;
                found.ok_or(UploadError::NoSuchUser)
            }
            set => set,
        }
    }

    fn keep_image<T>(
        &self,
        user: UserId,
        upload: Upload<'_>,
        key: Option<&IdempotencyKey>,
        mut record: impl FnMut(&mut dyn Transaction, &StoredFile) -> Result<T, UploadError>,
    ) -> Result<T, UploadError> {
        IMAGE_LIMIT.check(upload.size)?;
        let mut bytes = Vec::new();
        let mut bounded = upload.content.take(IMAGE_LIMIT.bytes);
        bounded.read_to_end(&mut bytes).map_err(UploadError::Read)?;
        let image = self.images.clean(&bytes).map_err(refused_image)?;
        let name = FileName::clean(upload.name, "image").as_image(image.media_type);
        let mut content = image.bytes.as_slice();
        self.keep(user, image.media_type, name, &mut content, |tx, file| {
            match key {
                None => tx.files().add_file(file)?,
                Some(key) if tx.files().add_file_of_request(file, key)? => {}
                Some(_) => return Err(UploadError::UploadedBefore),
            }
            record(tx, file)
        })
    }

    /// Stores the bytes first and then, in one transaction, what `record` adds, first of all the
    /// row: a crash in between leaves bytes without a row, which cleanup
    /// removes, and never a row without bytes. So does a failed commit: the database
    /// may have committed without being able to say so.
    fn keep<T>(
        &self,
        owner: UserId,
        media_type: MediaType,
        name: FileName,
        content: &mut dyn Read,
        mut record: impl FnMut(&mut dyn Transaction, &StoredFile) -> Result<T, UploadError>,
    ) -> Result<T, UploadError> {
        let id = FileId::from_random(random::bytes(self.deps.random.as_ref())?);
        let mut measured = Measured {
            content,
            size: 0,
            digester: Digester::default(),
        };
        let key = self.storage.put(id, &mut measured)?;
        let file = StoredFile {
            id,
            owner,
            media_type,
            name,
            size: measured.size,
            sha256: measured.digester.finish(),
            created_at: self.deps.clock.now(),
            key,
        };
        let mut may_commit = false;
        let recorded = self.deps.database.write(|tx| {
            may_commit = false;
            let recorded = record(tx, &file)?;
            storage::check::<UploadError>(tx, owner, &self.quotas)?;
            may_commit = true;
            Ok(recorded)
        });
        if !may_commit {
            self.storage.discard(id);
        }
        recorded
    }
}

fn refused_pdf(refused: PdfRefused) -> UploadError {
    let message = match refused {
        PdfRefused::Damaged => {
            "This PDF is damaged or incomplete: no page of it can be shown. Please download it or \
             save it as a PDF again, and import the new file."
        }
        PdfRefused::Protected => {
            "This PDF is protected with a password. Please save a copy without the password, and \
             import the copy."
        }
    };
    UploadRefused::Invalid(Invalid::new("file", message)).into()
}

fn refused_image(refused: ImageRefused) -> UploadError {
    let message = match refused {
        ImageRefused::Format => "Please choose a PNG, JPEG, GIF or WebP image".to_owned(),
        ImageRefused::TooManyPixels => format!(
            "Images can have at most {} megapixels",
            IMAGE_PIXELS_MAX / 1_000_000
        ),
        ImageRefused::TooDetailed => "This image is too large to be stored".to_owned(),
        ImageRefused::Damaged(_) => "This image is damaged and cannot be read".to_owned(),
    };
    UploadRefused::Invalid(Invalid::new("image", message)).into()
}

/// Measures and hashes bytes on their way to the storage.
struct Measured<'a> {
    content: &'a mut dyn Read,
    size: u64,
    digester: Digester,
}

impl Read for Measured<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        if let Some(bytes) = buffer.get(..read) {
            self.digester.update(bytes);
            self.size += bytes.len() as u64;
        }
        Ok(read)
    }
}
