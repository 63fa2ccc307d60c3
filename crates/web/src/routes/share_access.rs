//! A share link, from the recipient's side.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use ideavault_application::share_access::{Download, ShareReference};

use super::{UseCases, no_content};
use crate::app::App;
use crate::http::cookies::RecipientCookies;
use crate::http::download;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::Viewer;
use crate::http::links::LinkGuard;
use crate::http::ranges::RangeRequest;
use crate::wire::files::FileBytes;
use crate::wire::share_access::SharedIdeaView;

/// Looks up a share link.
///
/// The response has the content once the caller has accepted the agreement, and counts as a
/// view then. Sets a signed cookie with the id of the share.
#[utoipa::path(
    tag = "visits",
    operation_id = "openShare",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = SharedIdeaView),
        (status = 404, body = ErrorBody, description = "The link is dead for the caller"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/share/{token}")]
pub async fn open_share(
    guard: LinkGuard,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let link = ShareReference::Token(token.clone());
    let known = guard.at_once(|app| app.share_access.open_again(&token, viewer.0.as_ref()));
    let opened = match known {
        Some(opened) => opened,
        None => {
            let open = move |app: &App| app.share_access.open(&token, viewer.0.as_ref());
            guard.run(link, open).await?
        }
    };
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = cookies.keep_share(opened.share.id) {
        response.cookie(cookie);
    }
    Ok(response.json(SharedIdeaView::from(opened)))
}

/// Returns the document of the caller's current view as a file.
///
/// An imported PDF is returned unchanged, anything else as one HTML page that contains its
/// images. Counts no view.
#[utoipa::path(
    tag = "visits",
    operation_id = "downloadShared",
    params(("token" = String, Path)),
    responses(
        (status = 200, description = "The file", content(
            (FileBytes = "application/pdf"),
            (FileBytes = "text/html"),
        )),
        (status = 403, body = ErrorBody, description = "Not open, or the link allows no download"),
        (status = 404, body = ErrorBody, description = "The link is dead for the caller"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/share/{token}/download")]
pub async fn download_shared(
    use_cases: UseCases,
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let link = ShareReference::Token(token.clone());
    let prepare = move |app: &App| app.downloads.prepare(token, viewer.0);
    let prepared = guard.run(link, prepare).await?;
    let is_page = prepared.is_page();
    let finish = move |app: &App| app.downloads.finish(&prepared);
    let download = if is_page {
        use_cases.run_page(finish).await?
    } else {
        use_cases.run(finish).await?
    };
    match download {
        Download::File(opened) => download::answer(opened, &RangeRequest::WHOLE, true),
        Download::Page { name, html } => Ok(download::page(&name, html)),
    }
}

/// Ends the caller's view at once.
#[utoipa::path(
    tag = "visits",
    operation_id = "closeShare",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/share/{token}/close")]
pub async fn close_share(
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let link = ShareReference::Token(token.clone());
    let close = move |app: &App| app.share_access.close(&token, viewer.0.as_ref());
    guard.run(link, close).await?;
    Ok(no_content())
}

/// Records that the caller declines the agreement.
#[utoipa::path(
    tag = "visits",
    operation_id = "declineAgreement",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is accepted already"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/share/{token}/decline")]
pub async fn decline_agreement(
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let link = ShareReference::Token(token.clone());
    let decline = move |app: &App| app.share_access.decline(&token, viewer.0.as_ref());
    guard.run(link, decline).await?;
    Ok(no_content())
}
