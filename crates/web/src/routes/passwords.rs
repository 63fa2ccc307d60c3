//! Changing and resetting passwords.

use actix_session::Session;
use actix_web::post;
use actix_web::web::Json;
use ideavault_application::passwords::{PasswordChange, PasswordError, PasswordResetForm};
use ideavault_domain::email::Email;

use super::{UseCases, Work};
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::cookies::DeviceCookie;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::rates::Rates;
use crate::http::sessions::{self, CurrentSession};
use crate::wire::accounts::{
    ChangePasswordBody, ForgotPasswordBody, MailedLinkBody, ResetLookView, ResetPasswordBody,
    ResetView, SuccessView,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

/// Mails a reset link if the address has an account.
///
/// The response is the same if it has none.
#[utoipa::path(
    tag = "auth",
    operation_id = "forgotPassword",
    request_body = ForgotPasswordBody,
    responses(
        (status = 200, body = SuccessView),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/forgot-password")]
pub async fn forgot_password(
    use_cases: UseCases,
    rates: Rates,
    origin: ClientOrigin,
    body: JsonBody<ForgotPasswordBody, SMALL>,
) -> Result<Json<SuccessView>, ApiError> {
    // Regardless of an account, so that the response does not reveal one.
    if let Ok(email) = Email::parse(&body.0.email) {
        rates.admit(RateLimit::ForgotByEmail, LimitKey::of(email))?;
    }
    let user = use_cases
        .run(Work::Query, move |app| {
            app.passwords.forgotten_by(&body.0.email)
        })
        .await?;
    // Also without an account, so that both cases take equally long.
    use_cases.run_later("mailing a password reset", move |app| match user {
        Some(user) => app.passwords.send_reset(&user, origin.0),
        None => Ok::<_, PasswordError>(()),
    });
    Ok(Json(SuccessView::YES))
}

/// Returns what a mailed link that resets a password can do besides. Changes nothing.
///
/// A dead link can do nothing: only the reset itself says that it is dead.
#[utoipa::path(
    tag = "auth",
    operation_id = "lookAtPasswordReset",
    request_body = MailedLinkBody,
    responses(
        (status = 200, body = ResetLookView),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/reset-password/look")]
pub async fn look_at_password_reset(
    use_cases: UseCases,
    body: JsonBody<MailedLinkBody, SMALL>,
) -> Result<Json<ResetLookView>, ApiError> {
    let look = use_cases
        .run(Work::Query, move |app| {
            app.passwords.look_at_reset(&body.0.token)
        })
        .await?;
    Ok(Json(look.into()))
}

/// Sets a new password with the token of a mailed link.
///
/// Ends all sessions of the account, and does not sign in. If the address was never
/// confirmed before, it is confirmed now, and two-step sign-in is turned off; else only if asked,
/// and if it was turned on less than 14 days after the address was confirmed.
#[utoipa::path(
    tag = "auth",
    operation_id = "resetPassword",
    request_body = ResetPasswordBody,
    responses(
        (status = 200, body = ResetView),
        (status = 400, body = ErrorBody, description = "On token: used, replaced, too old or unknown"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/reset-password")]
pub async fn reset_password(
    use_cases: UseCases,
    origin: ClientOrigin,
    body: JsonBody<ResetPasswordBody, SMALL>,
) -> Result<Json<ResetView>, ApiError> {
    let ResetPasswordBody {
        token,
        new_password,
        remove_two_factor,
    } = body.0;
    let reset = use_cases
        .run(Work::Password, move |app| {
            let form = PasswordResetForm {
                password: &new_password,
                remove_two_factor,
            };
            app.passwords.reset(&token, form, origin.0)
        })
        .await?;
    Ok(Json(reset.into()))
}

/// Changes the password.
///
/// Ends all other sessions of the account, and gives this one a new id.
#[utoipa::path(
    tag = "auth",
    operation_id = "changePassword",
    request_body = ChangePasswordBody,
    responses(
        (status = 200, body = SuccessView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/change-password")]
pub async fn change_password(
    use_cases: UseCases,
    current: CurrentSession,
    session: Session,
    origin: ClientOrigin,
    device: DeviceCookie,
    body: JsonBody<ChangePasswordBody, SMALL>,
) -> Result<Json<SuccessView>, ApiError> {
    let body = body.0;
    let from = origin.0.clone();
    let epoch = use_cases
        .run(Work::Password, move |app| {
            let form = PasswordChange {
                current: &body.current_password,
                new: &body.new_password,
                confirmation: &body.confirm_password,
            };
            app.passwords
                .change(current.0, form, device.key.as_ref(), from)
        })
        .await?;
    sessions::sign_in(&session, current.0.user, epoch, origin.0)?;
    Ok(Json(SuccessView::YES))
}
