//! JSON and forms of files.

use ideavault_application::storage::StorageReport;
use ideavault_domain::file::StoredFile;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::time;

/// Form of the call that makes an idea from a PDF.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes a form that is read field by field")]
pub struct PdfForm {
    /// application/pdf, at most 10 MB unless the operator allows another size.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Title of the idea; the file's name without '.pdf' by default.
    title: Option<String>,
}

/// Form of the call that adds an image.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes a form that is read field by field")]
pub struct ImageForm {
    /// PNG, JPEG, GIF or WebP, at most 5 MB and 40 megapixels.
    #[schema(value_type = String, format = Binary)]
    image: Vec<u8>,
    /// Id of the caller's idea that the image is for.
    idea_id: Option<i64>,
}

/// Form of the call that changes the profile photo.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes a form that is read field by field")]
pub struct ProfileImageForm {
    /// PNG, JPEG, GIF or WebP, at most 5 MB and 40 megapixels.
    #[schema(value_type = String, format = Binary)]
    image: Vec<u8>,
}

/// Bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes an answer that is not JSON")]
pub struct FileBytes(Vec<u8>);

/// Query of a file request.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// `1` to save the file instead of showing it.
    pub download: Option<String>,
}

/// An added image.
#[derive(Serialize, ToSchema)]
#[schema(as = UploadedImage)]
pub struct UploadedImageView {
    /// Path of the image on this server.
    url: String,
}

impl From<StoredFile> for UploadedImageView {
    fn from(file: StoredFile) -> Self {
        Self { url: file.path() }
    }
}

/// An image of the caller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Asset)]
pub struct AssetView {
    id: Uuid,
    file_name: String,
    /// Path of the image on this server.
    file_path: String,
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<StoredFile> for AssetView {
    fn from(file: StoredFile) -> Self {
        Self {
            id: file.id.as_uuid(),
            file_path: file.path(),
            file_name: file.name.to_string(),
            created_at: time(file.created_at),
        }
    }
}

/// Used storage and its limit, in bytes before encryption.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Storage)]
pub struct StorageView {
    used_bytes: u64,
    quota_bytes: u64,
}

impl From<StorageReport> for StorageView {
    fn from(report: StorageReport) -> Self {
        Self {
            used_bytes: report.used,
            quota_bytes: report.quota,
        }
    }
}
