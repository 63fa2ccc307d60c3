//! Documents as PDF/A-3u, and files inside them.

use chrono::{Datelike as _, Timelike as _};
use ideavault_domain::Timestamp;
use ideavault_domain::document::Attachment;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::error::KrillaError;
use krilla::metadata::{DateTime, Metadata};
use krilla::{Document, SerializeSettings};
use thiserror::Error;

/// The reason why a document could not be written.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// A font cannot be read.
    #[error("a font of the program cannot be read")]
    Font,
    /// The library refuses the settings.
    #[error("the settings of the document contradict each other")]
    Settings,
    /// A file cannot be embedded.
    #[error("the file {0} cannot be embedded")]
    Attachment(String),
    /// The address of the public record is too long.
    #[error("the address does not fit into a QR code")]
    Code(#[source] qrcode::types::QrError),
    /// The document is not valid.
    #[error("the document is not valid: {0:?}")]
    Invalid(KrillaError),
}

/// Begins a document.
pub fn begin(title: &str, author: &str, made_at: Timestamp) -> Result<Document, DocumentError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_U)
        .finish()
        .map_err(|_| DocumentError::Settings)?;
    let mut document = Document::new_with(SerializeSettings {
        configuration,
        ..SerializeSettings::default()
    });
    let metadata = Metadata::new()
        .title(title.to_owned())
        .authors(vec![author.to_owned()])
        .creator("IdeaVault".to_owned())
        .language("en".to_owned())
        .creation_date(date(made_at));
    document.set_metadata(metadata);
    Ok(document)
}

/// Embeds a file.
pub fn embed(
    document: &mut Document,
    attachment: &Attachment,
    made_at: Timestamp,
) -> Result<(), DocumentError> {
    let file = EmbeddedFile {
        path: attachment.name.clone(),
        mime_type: MimeType::new(attachment.media_type),
        description: Some(attachment.description.to_owned()),
        association_kind: AssociationKind::Data,
        data: attachment.content.clone().into(),
        modification_date: Some(date(made_at)),
        // Evidence can be cut out of the document by hand.
        compress: Some(false),
        location: None,
    };
    document
        .embed_file(file)
        .ok_or_else(|| DocumentError::Attachment(attachment.name.clone()))
}

/// Ends a document.
///
/// # Errors
/// [`DocumentError::Invalid`] when it is not PDF/A-3.
pub fn finish(document: Document) -> Result<Vec<u8>, DocumentError> {
    document.finish().map_err(DocumentError::Invalid)
}

fn date(at: Timestamp) -> DateTime {
    let byte = |number: u32| u8::try_from(number).unwrap_or_default();
    DateTime::new(u16::try_from(at.year()).unwrap_or_default())
        .month(byte(at.month()))
        .day(byte(at.day()))
        .hour(byte(at.hour()))
        .minute(byte(at.minute()))
        .second(byte(at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}
