//! A share link, from the recipient's side.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use ideavault_application::visits::ShareReference;
use ideavault_domain::failure::Failure;

use super::{Cases, no_content};
use crate::http::client::ClientOrigin;
use crate::http::cookies::RecipientCookies;
use crate::http::denials;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::Viewer;
use crate::http::params;
use crate::http::rates::{Limit, Rates};
use crate::wire::visits::SharedIdeaView;

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
    origin: ClientOrigin,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    rates.check(Limit::ShareMiss, rates.client())?;
    let link = params::token(&token).ok().map(ShareReference::Token);
    let opened = match params::token(&token) {
        Ok(token) => {
            cases
                .run(move |app| app.visits.open(&token, viewer.0.as_ref()))
                .await
        }
        Err(failure) => Err(failure),
    };
    if let Err(failure @ Failure::NotFound) = &opened {
        rates.note(Limit::ShareMiss, rates.client());
        denials::at_gate(&cases, failure, link, origin.0);
    }
    let opened = opened?;
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = cookies.keep_share(opened.share.id) {
        response.cookie(cookie);
    }
    Ok(response.json(SharedIdeaView::from(opened)))
}

/// Ends the caller's visit at once.
#[utoipa::path(
    tag = "visits",
    operation_id = "closeShare",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody),
    ),
)]
#[post("/share/{token}/close")]
pub async fn close_share(
    cases: Cases,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = params::token(&token)?;
    cases
        .run(move |app| app.visits.close(&token, viewer.0.as_ref()))
        .await?;
    Ok(no_content())
}
