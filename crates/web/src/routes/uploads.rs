//! Uploads.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Json, Payload};
use actix_web::{CustomizeResponder, HttpRequest, Responder as _, post};
use ideavault_domain::file::IMAGE_LIMIT;

use super::{UseCases, Work};
use crate::embedded::PublicSettings;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::RequestKey;
use crate::http::identity::SignedIn;
use crate::http::params;
use crate::http::upload::{FormFields, receive};
use crate::wire::accounts::UserView;
use crate::wire::files::{ImageForm, PdfForm, ProfileImageForm, UploadedImageView};
use crate::wire::ideas::IdeaView;

const IMAGE: FormFields = FormFields {
    file: "image",
    text: Some("ideaId"),
    limit: IMAGE_LIMIT,
};
const PROFILE_IMAGE: FormFields = FormFields {
    text: None,
    ..IMAGE
};

/// Makes a draft from a PDF.
///
/// Repeated with the same key, it keeps nothing and returns the idea that is there.
#[utoipa::path(
    tag = "ideas",
    operation_id = "importPdf",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body(content = PdfForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, body = IdeaView),
        (status = 400, body = ErrorBody, description = "Not a PDF"),
        (status = 401, body = ErrorBody),
        (status = 408, body = ErrorBody, description = "Too slow"),
        (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/pdf")]
pub async fn import_pdf(
    use_cases: UseCases,
    user: SignedIn,
    key: RequestKey,
    settings: Data<PublicSettings>,
    request: HttpRequest,
    payload: Payload,
) -> Result<CustomizeResponder<Json<IdeaView>>, ApiError> {
    let pdf = FormFields {
        file: "file",
        text: Some("title"),
        limit: settings.pdf_limit,
    };
    let mut form = receive(&use_cases, &request, payload, pdf).await?;
    let idea = use_cases
        .run(Work::Pdf, move |app| {
            let upload = form.file.as_upload();
            app.uploads.import_pdf(user.0, &form.text, upload, key.0)
        })
        .await?;
    Ok(Json(IdeaView::from(idea))
        .customize()
        .with_status(StatusCode::CREATED))
}

/// Adds an image to the caller's assets.
///
/// It is stored without metadata, as PNG or JPEG; of an animation only the first frame is
/// kept. Repeated with the same key, it keeps nothing and returns the image that is there.
#[utoipa::path(
    tag = "files",
    operation_id = "uploadImage",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body(content = ImageForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = UploadedImageView),
        (status = 400, body = ErrorBody, description = "Not an image, or too many pixels"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "No such own idea"),
        (status = 408, body = ErrorBody, description = "Too slow"),
        (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/upload/image")]
pub async fn upload_image(
    use_cases: UseCases,
    user: SignedIn,
    key: RequestKey,
    request: HttpRequest,
    payload: Payload,
) -> Result<Json<UploadedImageView>, ApiError> {
    let mut form = receive(&use_cases, &request, payload, IMAGE).await?;
    let idea = Some(form.text.trim()).filter(|text| !text.is_empty());
    let idea = params::idea_filter(idea)?;
    let image = use_cases
        .run(Work::Image, move |app| {
            let upload = form.file.as_upload();
            app.uploads.add_image(user.0, idea, upload, key.0.as_ref())
        })
        .await?;
    Ok(Json(image.into()))
}

/// Changes the profile photo. The former one stays an asset.
///
/// Repeated with the same key, it changes nothing more.
#[utoipa::path(
    tag = "auth",
    operation_id = "uploadProfileImage",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body(content = ProfileImageForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = UserView),
        (status = 400, body = ErrorBody, description = "Not an image, or too many pixels"),
        (status = 401, body = ErrorBody),
        (status = 408, body = ErrorBody, description = "Too slow"),
        (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/profile/image")]
pub async fn upload_profile_image(
    use_cases: UseCases,
    user: SignedIn,
    key: RequestKey,
    request: HttpRequest,
    payload: Payload,
) -> Result<Json<UserView>, ApiError> {
    let mut form = receive(&use_cases, &request, payload, PROFILE_IMAGE).await?;
    let user = use_cases
        .run(Work::Image, move |app| {
            let upload = form.file.as_upload();
            app.uploads
                .set_profile_image(user.0, upload, key.0.as_ref())
        })
        .await?;
    Ok(Json(UserView::of(user, use_cases.confirmation())))
}
