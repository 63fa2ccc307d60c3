//! Recipients: register, agree.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, post, put};
use ideavault_application::visits::{Details, RecipientState, ShareReference};
use ideavault_domain::failure::Failure;

use super::Cases;
use crate::http::body::JsonBody;
use crate::http::client::ClientOrigin;
use crate::http::cookies::RecipientCookies;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::Viewer;
use crate::http::params;
use crate::http::rates::{Limit, Rates};
use crate::wire::recipients::{NdaBody, RecipientBody, RecipientView};

/// Registers a recipient on a link: the one of `accessToken`, or else the one
/// that this browser looked up last.
#[utoipa::path(
    tag = "recipients",
    operation_id = "registerRecipient",
    request_body = RecipientBody,
    responses(
        (status = 201, body = RecipientView),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The link is for another email"),
        (status = 404, body = ErrorBody, description = "The link is dead"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/recipients")]
pub async fn register_recipient(
    cases: Cases,
    request: HttpRequest,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    rates: Rates,
    body: JsonBody<RecipientBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.0;
    let share = match &body.access_token {
        Some(token) => ShareReference::Token(params::token(token)?),
        None => ShareReference::Id(cookies.share(&request).ok_or(Failure::NotFound)?),
    };
    // Noted only once the link has turned out to live.
    let link = match &share {
        ShareReference::Token(token) => token.reveal(),
        ShareReference::Id(id) => id.to_string(),
    };
    rates.check(Limit::Recipients, &link)?;
    let registered = cases
        .run(move |app| {
            let details = Details {
                name: &body.name,
                email: &body.email,
                phone: body.phone.as_deref(),
            };
            app.visits.register(&share, details, viewer.0.as_ref())
        })
        .await?;
    rates.note(Limit::Recipients, &link);
    let mut response = HttpResponse::Created();
    if let Some(key) = &registered.new_viewer_key {
        response.cookie(cookies.keep_viewer(key));
    }
    Ok(response.json(RecipientView::from(RecipientState {
        recipient: registered.recipient,
        agreed: false,
    })))
}

/// Accepts the agreement; only from the browser that registered.
#[utoipa::path(
    tag = "recipients",
    operation_id = "agreeToNda",
    params(("id" = uuid::Uuid, Path)),
    request_body = NdaBody,
    responses(
        (status = 200, body = RecipientView),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "Not a recipient of this browser"),
    ),
)]
#[put("/recipients/{id}/nda")]
pub async fn agree_to_nda(
    cases: Cases,
    viewer: Viewer,
    origin: ClientOrigin,
    id: Path<String>,
    body: JsonBody<NdaBody>,
) -> Result<Json<RecipientView>, ApiError> {
    let id = params::id(&id)?;
    let agreed = body.0.agreed;
    let state = cases
        .run(move |app| app.visits.agree(id, agreed, viewer.0.as_ref(), origin.0))
        .await?;
    Ok(Json(state.into()))
}
