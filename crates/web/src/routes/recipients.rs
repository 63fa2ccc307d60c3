//! Recipients: registration, confirmation of the address, agreement.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, post, put};
use ideavault_application::passwords::PasswordError;
use ideavault_application::share_access::{
    RecipientState, RegistrationForm, ShareReference, StageChange,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

use super::{UseCases, Work, no_content};
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::cookies::RecipientCookies;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::SecretRequestKey;
use crate::http::identity::{SignedIn, Viewer};
use crate::http::links::LinkGuard;
use crate::http::params;
use crate::wire::recipients::{
    CodeBody, ErasureBody, NdaBody, RecipientBody, RecipientView, VerificationView,
};

/// Registers a recipient on a link.
///
/// The link is that of `accessToken`, or else the one that this browser looked up last. An
/// email link mails a code to its address. Repeated with the same key, by the browser that sent it
/// before, it registers nobody anew and answers the same.
#[utoipa::path(
    tag = "recipients",
    operation_id = "registerRecipient",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 22 to 64 visible ASCII characters that nobody can guess",
    )),
    request_body = RecipientBody,
    responses(
        (status = 201, body = RecipientView),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The link is for another email"),
        (status = 404, body = ErrorBody, description = "The link is dead"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("")]
pub async fn register_recipient(
    guard: LinkGuard,
    request: HttpRequest,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    origin: ClientOrigin,
    key: SecretRequestKey,
    body: JsonBody<RecipientBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.0;
    guard.check()?;
    let share = match &body.access_token {
        Some(token) => ShareReference::Token(guard.token(token)?),
        None => ShareReference::Id(cookies.share(&request).ok_or(Failure::NotFound)?),
    };
    let link = share.clone();
    let registered = guard
        .run(link, move |app| {
            let form = RegistrationForm {
                name: &body.name,
                email: &body.email,
                phone: body.phone.as_deref(),
            };
            let viewer = viewer.0.as_ref();
            app.share_access
                .register(&share, form, viewer, &origin.0, key.0.as_ref())
        })
        .await?;
    let state = RecipientState {
        recipient: registered.recipient,
        agreed: false,
    };
    let [key, mark] = cookies.keep_viewer(&registered.new_viewer_key);
    Ok(HttpResponse::Created()
        .cookie(key)
        .cookie(mark)
        .json(RecipientView::from(state)))
}

/// Confirms the link's address with the mailed code.
///
/// Only from the browser that registered. Repeated with the same key, it answers the same until the
/// browser's new key was used.
#[utoipa::path(
    tag = "recipients",
    operation_id = "verifyRecipient",
    params(("id" = uuid::Uuid, Path), (
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 22 to 64 visible ASCII characters that nobody can guess",
    )),
    request_body = CodeBody,
    responses(
        (status = 200, body = RecipientView),
        (status = 400, body = ErrorBody, description = "Not the code, or it works no more"),
        (status = 404, body = ErrorBody, description = "Not a recipient of this browser"),
        (status = 409, body = ErrorBody, description = "The link asks for no code"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{id}/verify")]
pub async fn verify_recipient(
    use_cases: UseCases,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    origin: ClientOrigin,
    key: SecretRequestKey,
    id: Path<String>,
    body: JsonBody<CodeBody>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    let state = use_cases
        .run(Work::Query, move |app| {
            app.share_access.verify(
                id,
                &body.0.code,
                viewer.0.as_ref(),
                origin.0,
                key.0.as_ref(),
            )
        })
        .await?;
    Ok(advanced(&cookies, state))
}

/// Mails a new code, which replaces the former one.
///
/// Only for the browser that registered.
#[utoipa::path(
    tag = "recipients",
    operation_id = "sendCode",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 202, body = VerificationView),
        (status = 404, body = ErrorBody, description = "Not a recipient of this browser"),
        (status = 409, body = ErrorBody, description = "There is nothing to confirm"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{id}/code")]
pub async fn send_code(
    use_cases: UseCases,
    viewer: Viewer,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let sent = use_cases
        .run(Work::Query, move |app| {
            app.share_access.send_code(id, viewer.0.as_ref(), &origin.0)
        })
        .await?;
    Ok(HttpResponse::Accepted().json(VerificationView::from(sent)))
}

/// Responds with the recipient, and sets the browser's new key.
fn advanced(cookies: &RecipientCookies, advanced: StageChange) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(key) = &advanced.new_viewer_key {
        let [key, mark] = cookies.keep_viewer(key);
        response.cookie(key).cookie(mark);
    }
    response.json(RecipientView::from(advanced.state))
}

/// Accepts the agreement.
///
/// Only from the browser that registered. Repeated with the same key, it answers the same until the
/// browser's new key was used.
#[utoipa::path(
    tag = "recipients",
    operation_id = "agreeToNda",
    params(("id" = uuid::Uuid, Path), (
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 22 to 64 visible ASCII characters that nobody can guess",
    )),
    request_body = NdaBody,
    responses(
        (status = 200, body = RecipientView),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The address is not confirmed"),
        (status = 404, body = ErrorBody, description = "Not a recipient of this browser"),
    ),
)]
#[put("/{id}/nda")]
pub async fn agree_to_nda(
    use_cases: UseCases,
    cookies: Data<RecipientCookies>,
    viewer: Viewer,
    origin: ClientOrigin,
    key: SecretRequestKey,
    id: Path<String>,
    body: JsonBody<NdaBody>,
) -> Result<HttpResponse, ApiError> {
    let id = params::id(&id)?;
    let agreed = body.0.agreed;
    let state = use_cases
        .run(Work::Query, move |app| {
            app.share_access
                .agree(id, agreed, viewer.0.as_ref(), origin.0, key.0.as_ref())
        })
        .await?;
    Ok(advanced(&cookies, state))
}

/// Erases the person behind a registration on one of the caller's ideas, with all
/// registrations under the same address on the caller's ideas.
///
/// Asks for the password. The events stay on record, without the person. Can be repeated.
#[utoipa::path(
    tag = "recipients",
    operation_id = "erasePerson",
    params(("id" = uuid::Uuid, Path)),
    request_body = ErasureBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody, description = "Wrong password"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "Not on one of the caller's ideas"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/{id}/person")]
pub async fn erase_person(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
    body: JsonBody<ErasureBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let ErasureBody {
        password,
        keep_agreements,
    } = body.0;
    let keep_agreements = keep_agreements.unwrap_or(true);
    use_cases
        .run(Work::Password, move |app| {
            // Only wrong ones count: who erases many readers is no guesser.
            let (limit, key) = (RateLimit::Credentials, LimitKey::of(user.0));
            app.limits.check::<Failure>(limit, &key)?;
            let confirmed = app.passwords.confirm(user.0, &password);
            if matches!(confirmed, Err(PasswordError::Invalid(_))) {
                app.limits.admit::<Failure>(limit, &key)?;
            }
            confirmed.map_err(Failure::from)
        })
        .await?;
    use_cases
        .run(Work::Erasure, move |app| {
            app.erasure
                .erase_for_owner(user.0, id, keep_agreements, origin.0)
        })
        .await?;
    Ok(no_content())
}
