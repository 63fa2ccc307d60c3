//! A share link, from the recipient's side.

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use ideavault_application::share_access::{Download, ShareView, Stage};
use ideavault_domain::failure::Failure;
use ideavault_domain::token::Token;

use super::{UseCases, Work, no_content};
use crate::app::App;
use crate::http::body::{OptionalJsonBody, SMALL};
use crate::http::cacheable::CacheableResponse;
use crate::http::client::ClientOrigin;
use crate::http::cookies::RecipientCookies;
use crate::http::download;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::Viewer;
use crate::http::links::LinkGuard;
use crate::http::ranges::RangeRequest;
use crate::http::response_cache::ResponseCache;
use crate::wire::files::FileBytes;
use crate::wire::share_access::{DeclineBody, SharedIdeaView};

/// Looks up a share link.
///
/// The response has the content once the caller has accepted the agreement, and counts as a
/// view then. Sets a signed cookie with the id of the share.
#[utoipa::path(
    tag = "share links",
    operation_id = "openShare",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = SharedIdeaView),
        (status = 404, body = ErrorBody, description = "The link is dead for the caller"),
        (status = 410, body = ErrorBody, description = "The visit of a caller who had agreed is over"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{token}")]
pub async fn open_share(
    cache: ResponseCache,
    guard: LinkGuard,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let write = move |opened| written(&cookies, opened);
    Ok(guard.open(cache, token, viewer.0, write).await?)
}

/// Writes what a link shows, and the cookie that names the link. Compressible is only what shows its
/// reader all of it: nobody else chooses any of that, so that its size reveals nothing.
fn written(cookies: &RecipientCookies, opened: ShareView) -> Result<CacheableResponse, Failure> {
    let cookie = cookies.keep_share(opened.share.id);
    let is_open = matches!(opened.stage, Stage::Open { .. });
    let mut response = CacheableResponse::json(&SharedIdeaView::from(opened))?;
    if is_open {
        response = response.compressible();
    }
    if let Some(cookie) = cookie {
        let cookie = HeaderValue::try_from(cookie.to_string())
            .map_err(|error| Failure::Internal(Box::new(error)))?;
        response = response.with_header(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Returns the document of the caller's current view as a file.
///
/// An imported PDF is returned unchanged, anything else as one HTML page that contains its
/// images. Counts no view.
#[utoipa::path(
    tag = "share links",
    operation_id = "downloadShared",
    params(("token" = String, Path)),
    responses(
        (status = 200, description = "The file", content(
            (FileBytes = "application/pdf"),
            (FileBytes = "text/html"),
        )),
        (status = 403, body = ErrorBody, description = "Not open, or the link allows no download"),
        (status = 404, body = ErrorBody, description = "The link is dead for the caller"),
        (status = 409, body = ErrorBody, description = "The owner saved meanwhile"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{token}/download")]
pub async fn download_shared(
    use_cases: UseCases,
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let prepare = move |app: &App, token: &Token| app.downloads.prepare(token.clone(), viewer.0);
    let prepared = guard.run_on(&token, prepare).await?;
    let is_page = prepared.is_page();
    let finish = move |app: &App| app.downloads.finish(&prepared);
    let download = if is_page {
        use_cases.run(Work::Page, finish).await?
    } else {
        use_cases.run(Work::Query, finish).await?
    };
    match download {
        Download::File(opened) => download::respond(use_cases, opened, &RangeRequest::WHOLE, true),
        Download::Page { name, html } => Ok(download::page(&name, html)),
    }
}

/// Ends the caller's view at once.
#[utoipa::path(
    tag = "share links",
    operation_id = "closeShare",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{token}/close")]
pub async fn close_share(
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let close = move |app: &App, token: &Token| app.share_access.close(token, viewer.0.as_ref());
    guard.run_on(&token, close).await?;
    Ok(no_content())
}

/// Lets the caller, who accepted the agreement and closed the document, read on.
///
/// Needs neither their details nor the agreement again, as long as that has the same text.
#[utoipa::path(
    tag = "share links",
    operation_id = "reopenShare",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The agreement has another text now"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{token}/reopen")]
pub async fn reopen_share(
    guard: LinkGuard,
    viewer: Viewer,
    origin: ClientOrigin,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let reopen = move |app: &App, token: &Token| {
        app.share_access.reopen(token, viewer.0.as_ref(), &origin.0)
    };
    guard.run_on(&token, reopen).await?;
    Ok(no_content())
}

/// Records that the caller declines the agreement.
#[utoipa::path(
    tag = "share links",
    operation_id = "declineAgreement",
    params(("token" = String, Path)),
    request_body(content = DeclineBody, description = "May be left out"),
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is accepted already"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{token}/decline")]
pub async fn decline_agreement(
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
    body: OptionalJsonBody<DeclineBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.0.and_then(|body| body.reason);
    let decline = move |app: &App, token: &Token| {
        app.share_access
            .decline(token, viewer.0.as_ref(), reason.as_deref())
    };
    guard.run_on(&token, decline).await?;
    Ok(no_content())
}
