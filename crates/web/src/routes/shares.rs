//! A creator's links.

use actix_web::http::StatusCode;
use actix_web::web::{Json, Path};
use actix_web::{CustomizeResponder, HttpResponse, Responder as _, delete, get, post, put};
use ideavault_application::shares::{ShareChange, ShareError};
use ideavault_domain::share::ShareRequest;

use super::{UseCases, Work, no_content};
use crate::app::App;
use crate::http::body::JsonBody;
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::RequestKey;
use crate::http::identity::SignedIn;
use crate::http::params;
use crate::wire::share_access::SharePreviewView;
use crate::wire::shares::{OwnShareView, ShareBody, ShareChangeBody, ShareView};

/// Lists all links of one of the caller's ideas, the newest first, ended ones included.
#[utoipa::path(
    tag = "shares",
    operation_id = "listIdeaShares",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = Vec<ShareView>),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/shares")]
pub async fn list_idea_shares(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let list = move |app: &App| {
        let shares = app.shares.list(user.0, id)?.into_iter();
        Ok::<_, ShareError>(shares.map(ShareView::from).collect::<Vec<_>>())
    };
    Ok(use_cases.respond(list).await?)
}

/// Makes a link to one of the caller's ideas.
///
/// Repeated with the same key, it makes nothing and returns the link that is there.
#[utoipa::path(
    tag = "shares",
    operation_id = "createShare",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body = ShareBody,
    responses(
        (status = 201, body = ShareView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The email address is not confirmed"),
        (status = 404, body = ErrorBody, description = "No such own idea"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("")]
pub async fn create_share(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    key: RequestKey,
    body: JsonBody<ShareBody>,
) -> Result<CustomizeResponder<Json<ShareView>>, ApiError> {
    let idea = body.0.idea_id.into();
    let request = ShareRequest::from(body.0);
    let share = use_cases
        .run(Work::Query, move |app| {
            let key = key.0.as_ref();
            app.shares.create(user.0, idea, &request, origin.0, key)
        })
        .await?;
    Ok(Json(ShareView::from(share))
        .customize()
        .with_status(StatusCode::CREATED))
}

/// Says which of the caller's links has that token, ended or not.
#[utoipa::path(
    tag = "shares",
    operation_id = "findOwnShare",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = OwnShareView),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/by-token/{token}")]
pub async fn find_own_share(
    use_cases: UseCases,
    user: SignedIn,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = params::token(&token).ok();
    let find = move |app: &App| {
        let found = match &token {
            Some(token) => app.shares.find(user.0, token)?,
            None => None,
        };
        Ok::<_, ShareError>(OwnShareView::from(found))
    };
    Ok(use_cases.respond(find).await?)
}

/// Returns what the readers of one of the caller's links are shown, whatever its state.
///
/// Counts no view, and records nothing.
#[utoipa::path(
    tag = "shares",
    operation_id = "previewShare",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 200, body = SharePreviewView),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/preview")]
pub async fn preview_share(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    let preview = move |app: &App| {
        let preview = app.shares.preview(user.0, id)?;
        Ok::<_, ShareError>(SharePreviewView::from(preview))
    };
    Ok(use_cases.respond(preview).await?)
}

/// Revokes a link, with immediate effect for everybody.
#[utoipa::path(
    tag = "shares",
    operation_id = "revokeShare",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[delete("/{id}")]
pub async fn revoke_share(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    use_cases
        .run(Work::Query, move |app| {
            app.shares.revoke(user.0, id, origin.0)
        })
        .await?;
    Ok(no_content())
}

/// Renames a link, ended or not, and sets what its readers may do.
#[utoipa::path(
    tag = "shares",
    operation_id = "changeShare",
    params(("id" = uuid::Uuid, Path)),
    request_body = ShareChangeBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}")]
pub async fn change_share(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
    body: JsonBody<ShareChangeBody>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    let change = ShareChange::from(body.0);
    use_cases
        .run(Work::Query, move |app| {
            app.shares.change(user.0, id, &change, origin.0)
        })
        .await?;
    Ok(no_content())
}
