//! What a person with a confirmed address was shown, by a mailed link.

use actix_web::web::{Json, Path};
use actix_web::{HttpResponse, get, post};
use ideavault_domain::email::Email;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

use super::documents::saved;
use super::exports::saved_agreement;
use super::{UseCases, Work};
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::cookies::DocumentsCookie;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::SecretRequestKey;
use crate::http::params;
use crate::http::rates::Rates;
use crate::wire::accounts::MailedLinkBody;
use crate::wire::my_documents::{MyDocumentsBody, MyDocumentsView};

/// Mails a link to what a person with that address was shown, if it was shown anything.
///
/// The response is the same if it was not. Only registrations count whose address was confirmed
/// with a mailed code, and whose agreement was accepted.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "requestMyDocuments",
    request_body = MyDocumentsBody,
    responses(
        (status = 202, description = "A link is mailed if there is something to show"),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("")]
pub async fn request_my_documents(
    use_cases: UseCases,
    rates: Rates,
    origin: ClientOrigin,
    body: JsonBody<MyDocumentsBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let email = Email::parse(&body.0.email)?;
    // Whether or not it is known, so that the response does not reveal it.
    rates.admit(RateLimit::MyDocumentsByEmail, LimitKey::of(&email))?;
    use_cases.run_later("mailing a link to documents", move |app| {
        app.my_documents.send_link(&email, &origin.0)
    });
    Ok(HttpResponse::Accepted().finish())
}

/// Uses up a mailed link: this browser is shown the documents for 30 minutes.
///
/// Repeated with the same key, it answers the same.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "openMyDocuments",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 22 to 64 visible ASCII characters that nobody can guess",
    )),
    request_body = MailedLinkBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody, description = "On token: used, too old or unknown"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/open")]
pub async fn open_my_documents(
    use_cases: UseCases,
    cookie: DocumentsCookie,
    request: SecretRequestKey,
    body: JsonBody<MailedLinkBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let key = use_cases
        .run(Work::Query, move |app| {
            app.my_documents.open(&body.0.token, request.0.as_ref())
        })
        .await?;
    Ok(HttpResponse::NoContent().cookie(cookie.keep(&key)).finish())
}

/// Lists what the person was shown whose mailed link this browser has used.
///
/// Also of deleted ideas and by links that have ended. Nothing of the content.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "listMyDocuments",
    responses(
        (status = 200, body = MyDocumentsView),
        (status = 401, body = ErrorBody, description = "No link was used, or too long ago"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("")]
pub async fn list_my_documents(
    use_cases: UseCases,
    cookie: DocumentsCookie,
) -> Result<Json<MyDocumentsView>, ApiError> {
    let shown = use_cases
        .run(Work::Large, move |app| {
            app.my_documents.list(cookie.key.as_ref())
        })
        .await?;
    Ok(Json(shown.into()))
}

/// Ends what this browser is shown. Repeating it is fine.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "endMyDocuments",
    responses(
        (status = 204),
        (status = 401, body = ErrorBody, description = "No link was used, or too long ago"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/end")]
pub async fn end_my_documents(
    use_cases: UseCases,
    cookie: DocumentsCookie,
) -> Result<HttpResponse, ApiError> {
    let removed = cookie.remove();
    use_cases
        .run(Work::Query, move |app| {
            app.my_documents.end(cookie.key.as_ref())
        })
        .await?;
    Ok(HttpResponse::NoContent().cookie(removed).finish())
}

/// Returns the receipt of one of the documents as a PDF, with its proof inside.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "downloadMyReceipt",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/pdf"),
        (status = 401, body = ErrorBody, description = "No link was used, or too long ago"),
        (status = 404, body = ErrorBody, description = "Not this person's"),
        (status = 410, body = ErrorBody, description = "A person whom it names was erased"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/receipt.pdf")]
pub async fn download_my_receipt(
    use_cases: UseCases,
    cookie: DocumentsCookie,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let pdf = use_cases
        .run(Work::Page, move |app| {
            app.my_documents.receipt(cookie.key.as_ref(), id)
        })
        .await?;
    Ok(saved(&format!("receipt-{id}.pdf"), pdf))
}

/// Returns the exact text of the agreement of one of the documents.
#[utoipa::path(
    tag = "my-documents",
    operation_id = "getMyAgreement",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = ErrorBody, description = "No link was used, or too long ago"),
        (status = 404, body = ErrorBody, description = "Not this person's"),
        (status = 410, body = ErrorBody, description = "A person whom it names was erased"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/agreement.txt")]
pub async fn get_my_agreement(
    use_cases: UseCases,
    cookie: DocumentsCookie,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let agreement = use_cases
        .run(Work::Query, move |app| {
            app.my_documents.agreement(cookie.key.as_ref(), id)
        })
        .await?;
    Ok(saved_agreement(&agreement))
}
