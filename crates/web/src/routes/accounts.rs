//! Registration, sign-in, sign-out and profile.

use actix_session::Session;
use actix_web::web::Json;
use actix_web::{HttpResponse, get, post, put};
use ideavault_application::accounts::SignUp;
use ideavault_application::devices::SignIn;
use ideavault_application::fresh::Fresh;
use ideavault_application::guesses::GuessError;
use ideavault_application::logins::Login;
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;

use super::UseCases;
use crate::app::App;
use crate::http::body::{JsonBody, SMALL};
use crate::http::cacheable::CacheableResponse;
use crate::http::client::ClientOrigin;
use crate::http::cookies::DeviceCookie;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::rates::Rates;
use crate::http::response_cache::ResponseCache;
use crate::http::sessions;
use crate::wire::accounts::{
    LoginBody, LoginView, ProfileBody, RegisterBody, SuccessView, UserView,
};
use ideavault_domain::rate_limit::RateLimit;

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
        CacheableResponse::json(&view).map(Fresh::always)
    };
    let fast_path = move |app: &App| find(app).ok();
    Ok(cache.find(Some(user.0), None, fast_path, find).await?)
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
    origin: ClientOrigin,
    device: DeviceCookie,
    body: JsonBody<LoginBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    // Counted in advance, so that concurrent attempts do not pass together.
    let attempts = Email::parse(&body.0.email).map(|email| format!("{email} {}", rates.client()));
    if let Ok(attempts) = &attempts {
        rates.admit(RateLimit::FailedLogin, attempts)?;
    }
    let arrival = check(
        &use_cases,
        body.0,
        attempts.clone().ok(),
        device.key.clone(),
        origin.0.clone(),
    )
    .await
    .unwrap_or_else(|unchecked| {
        // If the client disconnects, the attempt stays counted.
        if let Ok(attempts) = &attempts {
            rates.refund(RateLimit::FailedLogin, attempts);
        }
        Err(unchecked)
    })?;
    if let Ok(attempts) = &attempts {
        rates.reset(RateLimit::FailedLogin, attempts);
    }
    sessions::sign_in(&session, arrival.user.id, arrival.epoch, origin.0)?;
    let cookie = device.keep(&arrival.device);
    Ok(HttpResponse::Ok().cookie(cookie).json(LoginView {
        success: true,
        user: UserView::of(arrival.user, use_cases.confirmation()),
    }))
}

/// Checks address, password and code. Records a failure.
///
/// # Errors
/// [`Failure`] if they could not be checked: the server has too much work, or no database.
async fn check(
    use_cases: &UseCases,
    body: LoginBody,
    attempts: Option<String>,
    device: Option<Token>,
    origin: Origin,
) -> Result<Result<SignIn, Failure>, Failure> {
    let (typed, from) = (body.email.clone(), origin.clone());
    // A request for the code is not a failure yet.
    let tried_code = body
        .code
        .as_ref()
        .is_some_and(|code| !code.trim().is_empty());
    let later = use_cases.clone();
    use_cases
        .run_hashing(move |app| {
            if let Some(attempts) = &attempts {
                match app.guesses.admit(RateLimit::FailedLogin, attempts) {
                    Err(GuessError::Limited(limited)) => return Ok(Err(limited.into())),
                    admitted => admitted?,
                }
            }
            let form = Login {
                email: &body.email,
                password: &body.password,
                code: body.code.as_deref(),
                device,
            };
            let checked = app.logins.log_in(form, from).map_err(Failure::from);
            let failed = match &checked {
                Err(Failure::Unauthenticated(_)) => true,
                Err(Failure::Unproven(_)) => tried_code,
                _ => false,
            };
            if failed {
                // Here, since hanging up ends only the handler.
                later.run_later("recording a failed login", move |app| {
                    app.audit.login_failed(&typed, origin)
                });
            }
            let limit = RateLimit::FailedLogin;
            match (checked, &attempts) {
                (
                    Err(
                        error @ (Failure::Unavailable(_)
                        | Failure::Damaged(_)
                        | Failure::Internal(_)),
                    ),
                    attempts,
                ) => {
                    if let Some(attempts) = attempts {
                        app.guesses.refund(limit, attempts)?;
                    }
                    Err(error)
                }
                (Ok(arrival), Some(attempts)) => {
                    app.guesses.reset(limit, attempts)?;
                    Ok(Ok(arrival))
                }
                (checked, _) => Ok(checked),
            }
        })
        .await
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
        .run_hashing(move |app| {
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
        .run(move |app| app.accounts.rename(user.0, &body.0.name))
        .await?;
    Ok(Json(UserView::of(user, use_cases.confirmation())))
}
