//! Files that creators upload: PDFs and images (`docs/rules.md#files`).
//!
//! Invariant: a stored file never changes. A changed file gets a new id, so that an
//! id always names the same bytes.

use std::fmt;

use thiserror::Error;

use crate::Timestamp;
use crate::digest::Digest;
use crate::failure::{Failure, Invalid};
use crate::file_name::FileName;
use crate::ids::{FileId, UserId};
use crate::keys::WrappedKey;
pub use crate::media_type::{FileKind, MediaType};
use crate::quota::ByteSize;

const MEBIBYTE: u64 = 1024 * 1024;

/// A size limit for uploads. Its text is the message for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadLimit {
    /// Largest accepted size in bytes.
    pub bytes: u64,
    files: &'static str,
}

/// The limit for PDFs, unless the operator sets another one (`docs/rules.md#files`).
pub const PDF_LIMIT_DEFAULT: UploadLimit = UploadLimit::of_pdfs(10 * MEBIBYTE);

/// The limit for images (`docs/rules.md#files`).
pub const IMAGE_LIMIT: UploadLimit = UploadLimit {
    bytes: 5 * MEBIBYTE,
    files: "Images",
};

/// Most pixels of an image, because a small file can decode to any size.
pub const IMAGE_PIXELS_MAX: u64 = 40_000_000;

/// The first bytes of every PDF file.
const PDF_MARK: &[u8] = b"%PDF-";
/// Within so many bytes, many viewers look for a mark that is not at the beginning.
const PDF_MARK_WITHIN: usize = 1024;

/// The one type that is believed: whoever names it does not mean a PDF.
const WEB_PAGE: &str = "text/html";

const NOT_A_PDF: &str = "Only PDF files are supported at this time";
const PDF_IS_LATER: &str = "This file has something else before its PDF. Please save it as a PDF \
                            again, and import the new file.";

/// Path prefix of files.
const PATH: &str = "/api/files/";

/// The reason why an upload is rejected.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum UploadRefused {
    /// It exceeds the size limit.
    #[error("{0}")]
    TooLarge(UploadLimit),
    /// It is not of the expected type.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl From<UploadRefused> for Failure {
    fn from(refused: UploadRefused) -> Self {
        match refused {
            UploadRefused::TooLarge(limit) => Self::TooLarge(limit.to_string()),
            UploadRefused::Invalid(invalid) => Self::Invalid(invalid),
        }
    }
}

impl UploadLimit {
    /// Returns the limit for PDFs.
    #[must_use]
    pub const fn of_pdfs(bytes: u64) -> Self {
        Self {
            bytes,
            files: "PDF files",
        }
    }

    /// Returns the size as people write it: whole mebibytes as megabytes, like `10 MB`.
    #[must_use]
    pub fn size(self) -> String {
        match self.bytes % MEBIBYTE {
            0 => format!("{} MB", self.bytes / MEBIBYTE),
            _ => ByteSize::from_bytes(self.bytes).to_string(),
        }
    }

    /// Checks a size against the limit.
    pub fn check(self, bytes: u64) -> Result<(), UploadRefused> {
        if bytes > self.bytes {
            return Err(UploadRefused::TooLarge(self));
        }
        Ok(())
    }
}

impl fmt::Display for UploadLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size().replace(' ', "");
        write!(f, "{} must be less than {size}", self.files)
    }
}

/// Checks a PDF without parsing it: the size and the first bytes. Browsers and forms often know no
/// type, or a wrong one; but what is called a page of the web is refused.
///
/// # Errors
/// [`UploadRefused`], on `file`.
pub fn check_pdf(
    limit: UploadLimit,
    declared: &str,
    size: u64,
    head: &[u8],
) -> Result<(), UploadRefused> {
    limit.check(size)?;
    if declared != WEB_PAGE {
        if head.starts_with(PDF_MARK) {
            return Ok(());
        }
        let head = head.get(..PDF_MARK_WITHIN).unwrap_or(head);
        if head.windows(PDF_MARK.len()).any(|bytes| bytes == PDF_MARK) {
            return Err(Invalid::new("file", PDF_IS_LATER).into());
        }
    }
    Err(Invalid::new("file", NOT_A_PDF).into())
}

/// A file without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Unique id; grants no access by itself.
    pub id: FileId,
    /// The owning account.
    pub owner: UserId,
    /// The type that it is served as.
    pub media_type: MediaType,
    /// File name at upload.
    pub name: FileName,
    /// Length in bytes.
    pub size: u64,
    /// SHA-256 of the bytes.
    pub sha256: Digest,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// Wrapped key that its bytes are encrypted with.
    pub key: WrappedKey,
}

impl StoredFile {
    /// Returns its purpose.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        self.media_type.kind()
    }

    /// Returns the path at which the server serves it.
    #[must_use]
    pub fn path(&self) -> String {
        path_of(self.id)
    }
}

/// Returns the path of the file with that id.
#[must_use]
pub fn path_of(id: FileId) -> String {
    format!("{PATH}{id}")
}

/// Returns the associated data of a file's key: see [`Encryption`](crate::ports::Encryption).
#[must_use]
pub fn key_aad(id: FileId) -> String {
    format!("file {id}")
}

/// Returns the file id if the path is exactly one of [`path_of`].
#[must_use]
pub fn id_in_path(path: &str) -> Option<FileId> {
    let id: FileId = path.strip_prefix(PATH)?.parse().ok()?;
    // A UUID has several text forms; only one is accepted here.
    (path_of(id) == path).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_pdf(declared: &str, size: u64, head: &[u8]) -> Result<(), UploadRefused> {
        super::check_pdf(PDF_LIMIT_DEFAULT, declared, size, head)
    }

    fn refused(declared: &str, size: u64, head: &[u8]) -> UploadRefused {
        check_pdf(declared, size, head).unwrap_err()
    }

    #[test]
    fn a_pdf_over_ten_mebibytes_is_refused() {
        assert_eq!(check_pdf("application/pdf", 10_485_760, b"%PDF-"), Ok(()));
        assert_eq!(
            refused("application/pdf", 10_485_761, b"%PDF-").to_string(),
            "PDF files must be less than 10MB"
        );
    }

    #[test]
    fn the_message_names_the_size_as_the_operator_wrote_it() {
        for (written, size) in [
            ("10MiB", "10MB"),
            ("25MiB", "25MB"),
            ("25MB", "25MB"),
            ("1.5MB", "1.5MB"),
        ] {
            let bytes = written.parse::<ByteSize>().unwrap().bytes();
            let message = UploadLimit::of_pdfs(bytes).to_string();
            assert_eq!(message, format!("PDF files must be less than {size}"));
        }
        assert_eq!(IMAGE_LIMIT.to_string(), "Images must be less than 5MB");
    }

    #[test]
    fn the_first_bytes_decide_whatever_type_is_declared() {
        for declared in [
            "application/pdf",
            "",
            "application/octet-stream",
            "application/x-download",
            "application/x-pdf",
            "binary/octet-stream",
            "text/plain",
            "image/png",
        ] {
            assert_eq!(check_pdf(declared, 9, b"%PDF-1.7"), Ok(()), "{declared}");
            assert!(check_pdf(declared, 9, b"<html").is_err(), "{declared}");
        }
    }

    #[test]
    fn a_page_of_the_web_and_other_first_bytes_are_refused() {
        let not_a_pdf = UploadRefused::Invalid(Invalid::new(
            "file",
            "Only PDF files are supported at this time",
        ));
        for (declared, head) in [
            ("text/html", b"%PDF-".as_slice()),
            ("application/pdf", b"<html"),
            ("application/pdf", b" %PDF"),
            ("application/pdf", b"%PDF"),
            ("application/pdf", b""),
        ] {
            assert_eq!(refused(declared, 9, head), not_a_pdf, "{declared} {head:?}");
        }
    }

    #[test]
    fn a_pdf_behind_something_else_is_refused_with_the_reason() {
        let message = |before: usize| {
            let head = ["x".repeat(before).as_bytes(), b"%PDF-1.7"].concat();
            refused("application/pdf", 2_000, &head).to_string()
        };
        for before in [1, 512, 1_019] {
            let said = message(before);
            assert!(
                said.contains("something else before its PDF"),
                "{before}: {said}"
            );
        }
        assert!(message(1_020).contains("Only PDF files"));
    }

    #[test]
    fn only_the_exact_path_made_by_the_server_identifies_a_file() {
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
    fn names_of_media_types_round_trip() {
        for media_type in [MediaType::Pdf, MediaType::Png, MediaType::Jpeg] {
            assert_eq!(MediaType::from_name(media_type.as_str()), Some(media_type));
        }
        assert_eq!(MediaType::from_name("image/svg+xml"), None);
    }
}
