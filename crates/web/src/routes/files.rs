//! Files of the caller, and those of ideas that were disclosed to the caller.

use actix_web::web::{Json, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, routes};
use ideavault_application::audit::Refused;
use ideavault_application::files::FileError;

use super::{UseCases, Work, no_content};
use crate::app::App;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::{Anyone, SignedIn};
use crate::http::ranges::RangeRequest;
use crate::http::refusals::Refusals;
use crate::http::{download, params};
use crate::wire::files::{AssetView, FileBytes, FileQuery, StorageView};

/// Returns a file, to its owner and to recipients who may read an idea that shows it.
///
/// For a recipient the first bytes count as a view, as the idea's content does. A single
/// range can be requested; HEAD counts nothing.
#[utoipa::path(
    get,
    path = "/files/{id}",
    tag = "files",
    operation_id = "getFile",
    params(("id" = uuid::Uuid, Path), FileQuery),
    responses(
        (status = 200, description = "The whole file", content(
            (FileBytes = "application/pdf"),
            (FileBytes = "image/jpeg"),
            (FileBytes = "image/png"),
        )),
        (status = 206, description = "The part", content(
            (FileBytes = "application/pdf"),
            (FileBytes = "image/jpeg"),
            (FileBytes = "image/png"),
        )),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "Absent, or not for the caller"),
        (status = 416, body = ErrorBody, description = "There is no such part"),
    ),
)]
#[routes]
#[get("/files/{id}")]
#[head("/files/{id}")]
pub async fn get_file(
    request: HttpRequest,
    use_cases: UseCases,
    caller: Anyone,
    refusals: Refusals,
    id: Path<String>,
    query: Query<FileQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::file(&id)?;
    let range = RangeRequest::of(&request, &download::tag(id));
    let wanted = range.clone();
    let opened = refusals
        .run(Refused::File(id), caller.0, move |app, caller| {
            app.files.open(caller, id, |file| wanted.part(file.size))
        })
        .await?;
    let attach = query.download.as_deref() == Some("1");
    download::respond(use_cases, opened, &range, attach)
}

/// Lists the caller's images, the newest first.
#[utoipa::path(
    tag = "files",
    operation_id = "listAssets",
    responses(
        (status = 200, body = Vec<AssetView>),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/assets")]
pub async fn list_assets(use_cases: UseCases, user: SignedIn) -> Result<HttpResponse, ApiError> {
    let list = move |app: &App| {
        let images = app.files.assets(user.0)?.into_iter();
        Ok::<_, FileError>(images.map(AssetView::from).collect::<Vec<_>>())
    };
    Ok(use_cases.respond(list).await?)
}

/// Deletes one of the caller's images, if no revision shows it.
#[utoipa::path(
    tag = "files",
    operation_id = "deleteAsset",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "A revision or the profile shows it"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/assets/{id}")]
pub async fn delete_asset(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::file(&id)?;
    use_cases
        .run(Work::Query, move |app| app.files.delete_asset(user.0, id))
        .await?;
    Ok(no_content())
}

/// Returns the account's used storage and its limit.
#[utoipa::path(
    tag = "files",
    operation_id = "getStorage",
    responses(
        (status = 200, body = StorageView),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/profile/storage")]
pub async fn get_storage(
    use_cases: UseCases,
    user: SignedIn,
) -> Result<Json<StorageView>, ApiError> {
    let report = use_cases
        .run(Work::Query, move |app| app.storage.report(user.0))
        .await?;
    Ok(Json(report.into()))
}
