//! Two-step sign-in: turning it on and off. The code itself is part of the login.

use actix_session::Session;
use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post, put};

use super::{UseCases, Work, no_content};
use crate::embedded::PublicSettings;
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::sessions::{self, CurrentSession};
use crate::wire::two_factors::{
    CurrentPasswordBody, RecoveryCodesView, TwoFactorCodeBody, TwoFactorSetupView,
    TwoFactorStatusView,
};

/// Returns the state of two-step sign-in.
#[utoipa::path(
    tag = "auth",
    operation_id = "getTwoFactor",
    responses(
        (status = 200, body = TwoFactorStatusView),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/auth/totp")]
pub async fn get_two_factor(
    use_cases: UseCases,
    user: SignedIn,
) -> Result<Json<TwoFactorStatusView>, ApiError> {
    let status = use_cases
        .run(Work::Query, move |app| app.two_factors.status(user.0))
        .await?;
    Ok(Json(status.into()))
}

/// Begins the set-up of an authenticator app.
///
/// Returns a new secret. Logins do not change until a code of the app confirms it. Beginning
/// again replaces the secret.
#[utoipa::path(
    tag = "auth",
    operation_id = "beginTwoFactor",
    request_body = CurrentPasswordBody,
    responses(
        (status = 200, body = TwoFactorSetupView),
        (status = 400, body = ErrorBody, description = "Wrong password"),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The email address is not confirmed"),
        (status = 409, body = ErrorBody, description = "It is on already"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/totp")]
pub async fn begin_two_factor(
    use_cases: UseCases,
    current: CurrentSession,
    settings: Data<PublicSettings>,
    body: JsonBody<CurrentPasswordBody, SMALL>,
) -> Result<Json<TwoFactorSetupView>, ApiError> {
    let password = body.0.current_password;
    let setup = use_cases
        .run(Work::Password, move |app| {
            app.two_factors.begin(current.0, &password)
        })
        .await?;
    Ok(Json(TwoFactorSetupView::new(
        &setup,
        &settings.operator.vault,
    )?))
}

/// Turns two-step sign-in on with a code of the app.
///
/// Returns the recovery codes, ends all other sessions of the account, and gives this one a
/// new id.
#[utoipa::path(
    tag = "auth",
    operation_id = "confirmTwoFactor",
    request_body = TwoFactorCodeBody,
    responses(
        (status = 200, body = RecoveryCodesView),
        (status = 400, body = ErrorBody, description = "Not the code"),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The email address is not confirmed"),
        (status = 409, body = ErrorBody, description = "It is on already, or was not begun"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/auth/totp")]
pub async fn confirm_two_factor(
    use_cases: UseCases,
    current: CurrentSession,
    session: Session,
    origin: ClientOrigin,
    body: JsonBody<TwoFactorCodeBody, SMALL>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let from = origin.0.clone();
    let confirmed = use_cases
        .run(Work::Query, move |app| {
            app.two_factors.confirm(current.0, &body.0.code, from)
        })
        .await?;
    sessions::sign_in(&session, current.0.user, confirmed.epoch, origin.0)?;
    Ok(Json(confirmed.recovery.into()))
}

/// Replaces the recovery codes and returns the new ones.
#[utoipa::path(
    tag = "auth",
    operation_id = "replaceRecoveryCodes",
    request_body = CurrentPasswordBody,
    responses(
        (status = 200, body = RecoveryCodesView),
        (status = 400, body = ErrorBody, description = "Wrong password"),
        (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Two-step sign-in is off"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/totp/recovery-codes")]
pub async fn replace_recovery_codes(
    use_cases: UseCases,
    current: CurrentSession,
    origin: ClientOrigin,
    body: JsonBody<CurrentPasswordBody, SMALL>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let password = body.0.current_password;
    let codes = use_cases
        .run(Work::Password, move |app| {
            let area = &app.two_factors;
            area.replace_recovery_codes(current.0, &password, origin.0)
        })
        .await?;
    Ok(Json(codes.into()))
}

/// Turns two-step sign-in off and deletes its recovery codes.
#[utoipa::path(
    tag = "auth",
    operation_id = "removeTwoFactor",
    request_body = CurrentPasswordBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody, description = "Wrong password"),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/auth/totp")]
pub async fn remove_two_factor(
    use_cases: UseCases,
    current: CurrentSession,
    origin: ClientOrigin,
    body: JsonBody<CurrentPasswordBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let password = body.0.current_password;
    use_cases
        .run(Work::Password, move |app| {
            app.two_factors.turn_off(current.0, &password, origin.0)
        })
        .await?;
    Ok(no_content())
}
