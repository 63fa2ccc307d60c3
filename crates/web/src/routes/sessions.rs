//! The sessions of an account.

use actix_web::web::{Json, Path};
use actix_web::{HttpResponse, delete, get};

use super::{UseCases, Work, no_content};
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params;
use crate::http::sessions::CurrentSession;
use crate::wire::sessions::SessionView;

/// Lists the caller's sessions, the last used first.
#[utoipa::path(
    tag = "auth",
    operation_id = "listSessions",
    responses(
        (status = 200, body = Vec<SessionView>),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/auth/sessions")]
pub async fn list_sessions(
    use_cases: UseCases,
    current: CurrentSession,
) -> Result<Json<Vec<SessionView>>, ApiError> {
    let actor = current.0;
    let sessions = use_cases
        .run(Work::Query, move |app| app.sessions.list(actor.user))
        .await?;
    let view = |session| SessionView::of(session, actor.session);
    Ok(Json(sessions.iter().map(view).collect()))
}

/// Ends all of the caller's sessions except this one.
#[utoipa::path(
    tag = "auth",
    operation_id = "endSessions",
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
    ),
)]
#[delete("/auth/sessions")]
pub async fn end_other_sessions(
    use_cases: UseCases,
    current: CurrentSession,
    origin: ClientOrigin,
) -> Result<HttpResponse, ApiError> {
    use_cases
        .run(Work::Query, move |app| {
            app.sessions.revoke_others(current.0, &origin.0)
        })
        .await?;
    Ok(no_content())
}

/// Ends one of the caller's sessions.
#[utoipa::path(
    tag = "auth",
    operation_id = "endSession",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "No such own session"),
    ),
)]
#[delete("/auth/sessions/{id}")]
pub async fn end_session(
    use_cases: UseCases,
    current: CurrentSession,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    use_cases
        .run(Work::Query, move |app| {
            app.sessions.revoke(current.0, id, &origin.0)
        })
        .await?;
    Ok(no_content())
}
