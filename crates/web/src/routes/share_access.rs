//! A share link, from the recipient's side.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use ideavault_application::share_access::{
    Download, DownloadError, ShareAccessError, ShareReference,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::token::Token;

use super::{Cases, no_content};
use crate::app::App;
use crate::http::cookies::RecipientCookies;
use crate::http::denials::Denials;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::Viewer;
use crate::http::ranges::RangeRequest;
use crate::http::rates::{Limit, Rates};
use crate::http::{download, params};
use crate::wire::files::FileBytes;
use crate::wire::share_access::SharedIdeaView;

/// Looks a link up. The content comes once the caller has agreed; that answer
/// counts as a view. Names the share in a signed cookie.
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
    cases: Cases,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    rates: Rates,
    denials: Denials,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    rates.check(Limit::ShareMiss, rates.client())?;
    let token = token_or_miss(&token, &rates)
        .inspect_err(|failure| denials.record_access_denial(failure, None))?;
    let link = ShareReference::Token(token.clone());
    let opened = cases
        .run(move |app| count_miss(&rates, app.share_access.open(&token, viewer.0.as_ref())))
        .await
        .inspect_err(|failure| denials.record_access_denial(failure, Some(link)))?;
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = cookies.keep_share(opened.share.id) {
        response.cookie(cookie);
    }
    Ok(response.json(SharedIdeaView::from(opened)))
}

/// The document that is open in the caller's browser, as a file: an imported PDF as it
/// is, anything else as one page with its images in it. Counts no view.
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
    cases: Cases,
    viewer: Viewer,
    rates: Rates,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    rates.check(Limit::ShareMiss, rates.client())?;
    let token = token_or_miss(&token, &rates)?;
    let prepared = cases
        .run(move |app| {
            let prepared = app.downloads.prepare(token, viewer.0);
            prepared.inspect_err(|error| {
                if matches!(
                    error,
                    DownloadError::GateContext(ShareAccessError::NotFound)
                ) {
                    rates.note(Limit::ShareMiss, rates.client());
                }
            })
        })
        .await?;
    let is_page = prepared.is_page();
    let finish = move |app: &App| app.downloads.finish(&prepared);
    let download = if is_page {
        cases.run_page(finish).await?
    } else {
        cases.run(finish).await?
    };
    match download {
        Download::File(opened) => download::answer(opened, &RangeRequest::WHOLE, true),
        Download::Page { name, html } => Ok(download::page(&name, html)),
    }
}

/// Ends the caller's visit at once.
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
    cases: Cases,
    viewer: Viewer,
    rates: Rates,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    rates.check(Limit::ShareMiss, rates.client())?;
    let token = token_or_miss(&token, &rates)?;
    cases
        .run(move |app| count_miss(&rates, app.share_access.close(&token, viewer.0.as_ref())))
        .await?;
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
    cases: Cases,
    viewer: Viewer,
    rates: Rates,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    rates.check(Limit::ShareMiss, rates.client())?;
    let token = token_or_miss(&token, &rates)?;
    cases
        .run(move |app| count_miss(&rates, app.share_access.decline(&token, viewer.0.as_ref())))
        .await?;
    Ok(no_content())
}

/// The token that was sent; what is none counts as a miss.
pub(super) fn token_or_miss(sent: &str, rates: &Rates) -> Result<Token, Failure> {
    params::token(sent).inspect_err(|_| rates.note(Limit::ShareMiss, rates.client()))
}

/// Counts a link that let nobody in; all other answers cost nothing. Where the work
/// is done, since hanging up ends only the handler, and not before: many readers of
/// one address may come at once.
pub(super) fn count_miss<T>(
    rates: &Rates,
    answer: Result<T, ShareAccessError>,
) -> Result<T, ShareAccessError> {
    answer.inspect_err(|error| {
        if matches!(
            error,
            ShareAccessError::NotFound | ShareAccessError::WrongAddress
        ) {
            rates.note(Limit::ShareMiss, rates.client());
        }
    })
}
