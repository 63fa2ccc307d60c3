//! Registration, sign-in, sign-out and profile.

use actix_session::Session;
use actix_web::web::Json;
use actix_web::{HttpResponse, get, post, put};
use ideavault_application::accounts::SignUp;
use ideavault_application::actor::Caller;
use ideavault_application::audit::Refused;
use ideavault_application::logins::{Login, LoginError};

use super::{UseCases, Work};
use crate::app::App;
use crate::http::body::{JsonBody, SMALL};
use crate::http::cacheable::CacheableResponse;
use crate::http::client::ClientOrigin;
use crate::http::cookies::DeviceCookie;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::failed_logins::FailedLogins;
use crate::http::identity::SignedIn;
use crate::http::rates::Rates;
use crate::http::refusals::Refusals;
use crate::http::response_cache::ResponseCache;
use crate::http::sessions;
use crate::wire::accounts::{
    LoginBody, LoginView, ProfileBody, RegisterBody, SuccessView, UserView,
};

/// Returns the signed-in account.
#[utoipa::path(
    tag = "auth",
    operation_id = "getCurrentUser",
    responses(
        (status = 200, body = UserView),
        (status = 401, body = ErrorBody, description = "Nobody is signed in"),
    ),
)]
#[get("/auth/me")]
pub async fn get_current_user(
    cache: ResponseCache,
    user: SignedIn,
) -> Result<HttpResponse, ApiError> {
    let find = move |app: &App| {
        let found = app.accounts.current_user(user.0)?;
        let view = UserView::of(found, app.accounts.confirmation());
        CacheableResponse::json(&view)
    };
    let fast_path = move |app: &App| find(app).ok();
    Ok(cache
        .find_by_key(Some(user.0), None, fast_path, find)
        .await?)
}

/// Signs in, under a new session id.
#[utoipa::path(
    tag = "auth",
    operation_id = "login",
    request_body = LoginBody,
    responses(
        (status = 200, body = LoginView),
        (status = 400, body = ErrorBody),
        (
            status = 401,
            body = ErrorBody,
            description = "Wrong password or unknown email; on code: the second step is missing or wrong",
        ),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/login")]
pub async fn login(
    use_cases: UseCases,
    session: Session,
    rates: Rates,
    refusals: Refusals,
    origin: ClientOrigin,
    device: DeviceCookie,
    body: JsonBody<LoginBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let body = body.0;
    let limit = FailedLogins::admit(rates, &body.email)?;
    let key = limit.key().cloned();
    let from = origin.0.clone();
    let brought = device.key.clone();
    let checked = use_cases
        .run(Work::Password, move |app| {
            let form = Login {
                email: &body.email,
                password: &body.password,
                code: body.code.as_deref(),
                device: brought,
            };
            let checked = app.logins.log_in_within(key.as_ref(), form, from);
            if checked.as_ref().is_err_and(LoginError::is_failed_login) {
                // Here, since a client that disconnects ends only the handler.
                refusals.record(Refused::Login(body.email), Caller::default());
            }
            match checked {
                Err(error) if error.is_unchecked() => Err(error),
                checked => Ok(checked),
            }
        })
        .await;
    let signed_in = limit.settle(checked)?;
    sessions::sign_in(&session, signed_in.user.id, signed_in.epoch, origin.0)?;
    let cookie = device.keep(&signed_in.device);
    Ok(HttpResponse::Ok().cookie(cookie).json(LoginView {
        success: true,
        user: UserView::of(signed_in.user, use_cases.confirmation()),
    }))
}

/// Makes an account. Does not sign in.
#[utoipa::path(
    tag = "auth",
    operation_id = "register",
    request_body = RegisterBody,
    responses(
        (status = 201, body = UserView),
        (status = 400, body = ErrorBody),
        (
            status = 403,
            body = ErrorBody,
            description = "Registration is closed, or by invitation, or the invitation does not work",
        ),
        (status = 409, body = ErrorBody, description = "The email has an account"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/auth/register")]
pub async fn register(
    use_cases: UseCases,
    device: DeviceCookie,
    origin: ClientOrigin,
    body: JsonBody<RegisterBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let (body, brought) = (body.0, device.key.clone());
    let signed_in = use_cases
        .run(Work::Password, move |app| {
            let form = SignUp {
                name: &body.name,
                email: &body.email,
                password: &body.password,
                invitation: body.invitation_token.as_deref(),
            };
            app.accounts.register(form, brought.as_ref(), origin.0)
        })
        .await?;
    let cookie = device.keep(&signed_in.device);
    let user = UserView::of(signed_in.user, use_cases.confirmation());
    Ok(HttpResponse::Created().cookie(cookie).json(user))
}

/// Ends the session, if there is one.
#[utoipa::path(
    tag = "auth",
    operation_id = "logout",
    responses((status = 200, body = SuccessView)),
)]
#[post("/auth/logout")]
pub async fn logout(session: Session) -> Json<SuccessView> {
    session.purge();
    Json(SuccessView::YES)
}

/// Changes the name of the account. Its email address never changes.
#[utoipa::path(
    tag = "profile",
    operation_id = "updateProfile",
    request_body = ProfileBody,
    responses(
        (status = 200, body = UserView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    ),
)]
#[put("/profile")]
pub async fn update_profile(
    use_cases: UseCases,
    user: SignedIn,
    body: JsonBody<ProfileBody, SMALL>,
) -> Result<Json<UserView>, ApiError> {
    let user = use_cases
        .run(Work::Query, move |app| {
            app.accounts.rename(user.0, &body.0.name)
        })
        .await?;
    Ok(Json(UserView::of(user, use_cases.confirmation())))
}
