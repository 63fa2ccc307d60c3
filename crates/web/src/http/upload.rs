//! Multipart bodies with one file and a short text.
//!
//! Invariant: at most a few hundred kilobytes of a file are in memory, and at most its limit
//! is on the disk, whatever is sent. A slow sender cannot hold a connection.

use std::fs::File;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::error::PayloadError;
use actix_web::web::Payload;
use actix_web::{HttpRequest, http::header};
use futures_util::TryStreamExt as _;
use ideavault_application::uploads::Upload;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::UploadLimit;
use ideavault_files::Scratch;

use super::body_deadline::bounded;
use super::error::ApiError;
use super::turns::Work;
use super::use_cases::UseCases;

/// Allowance for boundaries, headers and the text beside the file (docs/rules.md#sizes).
const OVERHEAD: u64 = 64 * 1024;
/// Largest text, in bytes.
const TEXT_MAX: usize = 4 * 1024;
/// Size of the buffer before the disk.
const CHUNK: usize = 256 * 1024;

/// Description of a form.
#[derive(Clone, Copy, Debug)]
pub struct FormFields {
    /// Name of the file's field.
    pub file: &'static str,
    /// Name of the text's field.
    pub text: Option<&'static str>,
    /// Largest file, in bytes.
    pub limit: UploadLimit,
}

/// A received form.
pub struct Form {
    /// The file; the first one if there are several.
    pub file: Arrived,
    /// The text; empty without one.
    pub text: String,
}

/// A received file, in a temporary place.
pub struct Arrived {
    name: String,
    media_type: String,
    size: u64,
    content: File,
}

impl Arrived {
    /// Returns the file in the form that use cases take.
    pub fn as_upload(&mut self) -> Upload<'_> {
        Upload {
            name: &self.name,
            media_type: &self.media_type,
            size: self.size,
            content: &mut self.content,
        }
    }
}

/// Receives a form.
///
/// # Errors
/// [`ApiError`]; nothing is left on the disk then.
pub async fn receive(
    use_cases: &UseCases,
    request: &HttpRequest,
    payload: Payload,
    fields: FormFields,
) -> Result<Form, ApiError> {
    let cap = fields.limit.bytes.saturating_add(OVERHEAD);
    let refused = |error| refused(error, fields.limit);
    if announced(request).is_some_and(|length| length > cap) {
        return Err(too_large(fields.limit));
    }
    let mut form = Multipart::new(request.headers(), bounded(payload, cap));
    let (mut file, mut text) = (None, String::new());
    while let Some(mut field) = form.try_next().await.map_err(refused)? {
        let name = field.name().unwrap_or_default();
        if name == fields.file && file.is_none() {
            file = Some(receive_file(use_cases, &mut field, fields.limit).await?);
        } else if fields.text == Some(name) {
            let name = name.to_owned();
            text = receive_text(&mut field, &name, fields.limit).await?;
        } else {
            while field.try_next().await.map_err(refused)?.is_some() {}
        }
    }
    let file = file.ok_or_else(|| ApiError::Malformed {
        message: format!("{} is missing", fields.file),
        field: Some(fields.file.to_owned()),
    })?;
    Ok(Form { file, text })
}

async fn receive_file(
    use_cases: &UseCases,
    field: &mut Field,
    limit: UploadLimit,
) -> Result<Arrived, ApiError> {
    let name = field
        .content_disposition()
        .and_then(|disposition| disposition.get_filename())
        // Browsers escape quotes in file names as `%22`.
        .map(|name| name.replace("%22", "\""))
        .unwrap_or_default();
    let media_type = field
        .content_type()
        .map(|media_type| media_type.essence_str().to_owned())
        .unwrap_or_default();
    let mut scratch = use_cases
        .run(Work::FilePart, |app| app.scratch.create())
        .await?;
    let mut pending = Vec::with_capacity(CHUNK);
    while let Some(bytes) = field.try_next().await.map_err(|e| refused(e, limit))? {
        pending.extend_from_slice(&bytes);
        let size = scratch.size() + pending.len() as u64;
        limit.check(size).map_err(Failure::from)?;
        if pending.len() >= CHUNK {
            (scratch, pending) = append(use_cases, scratch, pending).await?;
        }
    }
    let (scratch, _) = append(use_cases, scratch, pending).await?;
    let size = scratch.size();
    let content = use_cases
        .on_file(move || Ok(scratch.into_reader()?))
        .await?;
    Ok(Arrived {
        name,
        media_type,
        size,
        content,
    })
}

/// Writes the buffer to the disk and empties it.
async fn append(
    use_cases: &UseCases,
    mut scratch: Scratch,
    mut pending: Vec<u8>,
) -> Result<(Scratch, Vec<u8>), Failure> {
    use_cases
        .on_file(move || {
            scratch.append(&pending)?;
            pending.clear();
            Ok((scratch, pending))
        })
        .await
}

async fn receive_text(
    field: &mut Field,
    name: &str,
    limit: UploadLimit,
) -> Result<String, ApiError> {
    let wrong = |what: &str| ApiError::Malformed {
        message: format!("{name} {what}"),
        field: Some(name.to_owned()),
    };
    let mut text = Vec::new();
    while let Some(bytes) = field.try_next().await.map_err(|e| refused(e, limit))? {
        text.extend_from_slice(&bytes);
        if text.len() > TEXT_MAX {
            return Err(wrong("is too long"));
        }
    }
    String::from_utf8(text).map_err(|_| wrong("is not text"))
}

fn announced(request: &HttpRequest) -> Option<u64> {
    let length = request.headers().get(header::CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

fn refused(error: MultipartError, limit: UploadLimit) -> ApiError {
    match error {
        MultipartError::ContentTypeMissing
        | MultipartError::ContentTypeParse
        | MultipartError::ContentTypeIncompatible => ApiError::MediaType {
            takes: "Please send multipart/form-data",
        },
        MultipartError::Payload(PayloadError::Overflow) => too_large(limit),
        MultipartError::Payload(PayloadError::Io(error))
            if error.kind() == std::io::ErrorKind::TimedOut =>
        {
            ApiError::Slow
        }
        _ => ApiError::Malformed {
            message: "The upload is incomplete or malformed".into(),
            field: None,
        },
    }
}

fn too_large(limit: UploadLimit) -> ApiError {
    Failure::TooLarge(limit.to_string()).into()
}
