//! Confirmation of email addresses.

use actix_web::web::Json;
use actix_web::{HttpResponse, post};

use super::{UseCases, Work, no_content};
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::sessions::CurrentSession;
use crate::wire::accounts::{ConfirmEmailBody, ConfirmationView, MailedLinkBody, SuccessView};

/// Returns what a mailed link is about that confirms an address. Changes nothing.
#[utoipa::path(
    tag = "auth",
    operation_id = "lookAtEmailConfirmation",
    request_body = MailedLinkBody,
    responses(
        (status = 200, body = ConfirmationView),
        (status = 400, body = ErrorBody, description = "On token: replaced, too old or unknown"),
        (status = 409, body = ErrorBody, description = "The link was used before"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/confirm-email/look")]
pub async fn look_at_email_confirmation(
    use_cases: UseCases,
    user: Option<SignedIn>,
    body: JsonBody<MailedLinkBody, SMALL>,
) -> Result<Json<ConfirmationView>, ApiError> {
    let caller = user.map(|user| user.0);
    let look = use_cases
        .run(Work::Query, move |app| {
            app.confirmations.look(&body.0.token, caller)
        })
        .await?;
    Ok(Json(look.into()))
}

/// Confirms the address of an account with the token of a mailed link.
///
/// Needs a session of the account, or its password: the mail may be read on another device.
#[utoipa::path(
    tag = "auth",
    operation_id = "confirmEmail",
    request_body = ConfirmEmailBody,
    responses(
        (status = 200, body = SuccessView),
        (
            status = 400,
            body = ErrorBody,
            description = "On token: replaced, too old or unknown. On password: missing or wrong",
        ),
        (status = 401, body = ErrorBody, description = "The session ended meanwhile"),
        (status = 409, body = ErrorBody, description = "The link was used before"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/confirm-email")]
pub async fn confirm_email(
    use_cases: UseCases,
    current: Option<CurrentSession>,
    origin: ClientOrigin,
    body: JsonBody<ConfirmEmailBody, SMALL>,
) -> Result<Json<SuccessView>, ApiError> {
    let actor = current.map(|current| current.0);
    let ConfirmEmailBody { token, password } = body.0;
    use_cases
        .run(Work::Password, move |app| {
            let password = password.as_deref();
            app.confirmations.confirm(&token, actor, password, origin.0)
        })
        .await?;
    Ok(Json(SuccessView::YES))
}

/// Mails the caller a new confirmation link, which replaces earlier ones.
#[utoipa::path(
    tag = "auth",
    operation_id = "sendEmailConfirmation",
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The address is confirmed"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/confirm-email/resend")]
pub async fn send_email_confirmation(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
) -> Result<HttpResponse, ApiError> {
    use_cases
        .run(Work::Query, move |app| {
            app.confirmations.send(user.0, &origin.0)
        })
        .await?;
    Ok(no_content())
}
