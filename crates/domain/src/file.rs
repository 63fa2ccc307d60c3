//! Files that creators bring in: PDFs and images (design section 4, Files).
//!
//! Invariant: a stored file never changes. What is to be different gets
//! another id, so that an id names the same bytes for ever.

use thiserror::Error;

use crate::Timestamp;
use crate::digest::Digest;
use crate::failure::{Failure, Invalid};
use crate::file_name::FileName;
use crate::ids::{FileId, UserId};
use crate::keys::WrappedKey;

/// How much may be uploaded, and what to say about more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadLimit {
    /// As many bytes are accepted, and not one more.
    pub bytes: u64,
    /// What to show to the person.
    pub message: &'static str,
}

/// A PDF (spec sections 5 and 9).
pub const PDF_LIMIT: UploadLimit = UploadLimit {
    bytes: 10 * 1024 * 1024,
    message: "PDF files must be less than 10MB",
};

/// An image (design section 4).
pub const IMAGE_LIMIT: UploadLimit = UploadLimit {
    bytes: 5 * 1024 * 1024,
    message: "Images must be less than 5MB",
};

/// Most pixels that an image may have: a small file can unpack to any size.
pub const IMAGE_PIXELS_MAX: u64 = 40_000_000;

/// What every PDF file begins with.
const PDF_MARK: &[u8] = b"%PDF-";

const NOT_A_PDF: &str = "Only PDF files are supported at this time";

/// Where the server serves files.
const PATH: &str = "/api/files/";

/// Why an upload is not accepted.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum UploadRefused {
    /// It exceeds its limit.
    #[error("{}", .0.message)]
    TooLarge(UploadLimit),
    /// It is not what it has to be.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl From<UploadRefused> for Failure {
    fn from(refused: UploadRefused) -> Self {
        match refused {
            UploadRefused::TooLarge(limit) => Self::TooLarge(limit.message.to_owned()),
            UploadRefused::Invalid(invalid) => Self::Invalid(invalid),
        }
    }
}

impl UploadLimit {
    /// Refuses what exceeds the limit.
    ///
    /// # Errors
    /// [`UploadRefused::TooLarge`].
    pub fn check(self, bytes: u64) -> Result<(), UploadRefused> {
        if bytes > self.bytes {
            return Err(UploadRefused::TooLarge(self));
        }
        Ok(())
    }
}

/// Checks what can be told of a PDF without looking into it: the type that its
/// sender declares, its size, and how it begins.
///
/// # Errors
/// [`UploadRefused`], on `file`.
pub fn check_pdf(declared: &str, size: u64, head: &[u8]) -> Result<(), UploadRefused> {
    PDF_LIMIT.check(size)?;
    if declared != MediaType::Pdf.as_str() || !head.starts_with(PDF_MARK) {
        return Err(Invalid::new("file", NOT_A_PDF).into());
    }
    Ok(())
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The content of one idea; it goes with that idea.
    Pdf,
    /// An asset of its owner; ideas and the profile may show it.
    Image,
}

impl FileKind {
    /// The name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Image => "image",
        }
    }
}

/// The types that files are served as. Images of other types are stored as one
/// of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// A PDF.
    Pdf,
    /// An image without loss.
    Png,
    /// A photograph.
    Jpeg,
}

impl MediaType {
    /// The name of RFC 6838.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pdf, Self::Png, Self::Jpeg]
            .into_iter()
            .find(|media_type| media_type.as_str() == name)
    }

    /// What files of that type are for.
    #[must_use]
    pub fn kind(self) -> FileKind {
        match self {
            Self::Pdf => FileKind::Pdf,
            Self::Png | Self::Jpeg => FileKind::Image,
        }
    }
}

/// A file, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Identity; knowing it grants nothing.
    pub id: FileId,
    /// Whose it is.
    pub owner: UserId,
    /// What it is served as.
    pub media_type: MediaType,
    /// What it was called.
    pub name: FileName,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its bytes.
    pub sha256: Digest,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// What its bytes are encrypted with.
    pub key: WrappedKey,
}

impl StoredFile {
    /// What it is for.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        self.media_type.kind()
    }

    /// Where the server serves it.
    #[must_use]
    pub fn path(&self) -> String {
        path_of(self.id)
    }
}

/// Where the server serves the file with that id.
#[must_use]
pub fn path_of(id: FileId) -> String {
    format!("{PATH}{id}")
}

/// The place that a file's key is bound to: see [`Vault`](crate::ports::Vault).
#[must_use]
pub fn key_aad(id: FileId) -> String {
    format!("file {id}")
}

/// The file that a path names, if it is exactly a path of [`path_of`].
#[must_use]
pub fn id_in_path(path: &str) -> Option<FileId> {
    let id: FileId = path.strip_prefix(PATH)?.parse().ok()?;
    // A UUID has other forms as well; only one of them is an address here.
    (path_of(id) == path).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(declared: &str, size: u64, head: &[u8]) -> UploadRefused {
        check_pdf(declared, size, head).unwrap_err()
    }

    #[test]
    fn a_pdf_may_have_ten_mebibytes_and_not_one_byte_more() {
        assert_eq!(check_pdf("application/pdf", 10_485_760, b"%PDF-"), Ok(()));
        assert_eq!(
            refused("application/pdf", 10_485_761, b"%PDF-").to_string(),
            "PDF files must be less than 10MB"
        );
    }

    #[test]
    fn both_the_declared_type_and_the_first_bytes_have_to_be_those_of_a_pdf() {
        let not_a_pdf = UploadRefused::Invalid(Invalid::new(
            "file",
            "Only PDF files are supported at this time",
        ));
        for (declared, head) in [
            ("text/html", b"%PDF-".as_slice()),
            ("", b"%PDF-"),
            ("application/pdf", b"<html"),
            ("application/pdf", b" %PDF"),
            ("application/pdf", b"%PDF"),
            ("application/pdf", b""),
        ] {
            assert_eq!(refused(declared, 9, head), not_a_pdf, "{declared} {head:?}");
        }
    }

    #[test]
    fn only_the_address_that_the_server_gives_names_a_file() {
        let id = FileId::from_random([0xab; 16]);
        assert_eq!(id_in_path(&path_of(id)), Some(id));
        let text = id.to_string();
        for path in [
            text.clone(),
            format!("/api/files/{}", text.to_uppercase()),
            format!("/api/files/{}", text.replace('-', "")),
            format!("/api/files/{text}/"),
            format!("/api/files/{text}?download=1"),
            format!("/api/files/../files/{text}"),
            format!("https://evil.test/api/files/{text}"),
            "/etc/passwd".to_owned(),
            String::new(),
        ] {
            assert_eq!(id_in_path(&path), None, "{path}");
        }
    }

    #[test]
    fn names_of_types_read_back() {
        for media_type in [MediaType::Pdf, MediaType::Png, MediaType::Jpeg] {
            assert_eq!(MediaType::from_name(media_type.as_str()), Some(media_type));
        }
        assert_eq!(MediaType::from_name("image/svg+xml"), None);
    }
}
