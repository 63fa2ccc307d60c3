//! Leaving: what is the caller's own as one archive, and the deletion of the account.

use actix_session::Session;
use actix_web::{HttpResponse, delete, get};

use super::{UseCases, Work, no_content};
use crate::http::archives::{Archives, spooled};
use crate::http::body::{JsonBody, SMALL};
use crate::http::client::ClientOrigin;
use crate::http::download;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::sessions::CurrentSession;
use crate::wire::accounts::AccountDeletionBody;

/// Returns everything of the caller's own as one archive.
///
/// Profile, files, and for each idea all kept versions, links, activity, comments and
/// evidence. `README.txt` in it says what is where.
#[utoipa::path(
    tag = "profile",
    operation_id = "exportAccount",
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often, or one is being made or sent"),
        (status = 507, body = ErrorBody, description = "The server's disk has no space to spare"),
    ),
)]
#[get("/account/export")]
pub async fn export_account(
    use_cases: UseCases,
    archives: Archives,
    user: SignedIn,
    origin: ClientOrigin,
) -> Result<HttpResponse, ApiError> {
    let open = archives.open().await?;
    let file = use_cases
        .run_while_awaited(Work::Export, move |app, is_awaited| {
            let export = &app.account_export;
            export.begin(user.0, origin.0)?;
            spooled(&app.scratch, is_awaited, |to| export.write(user.0, to))
        })
        .await?;
    download::archive(use_cases, "ideavault-export.zip", file, open)
}

/// Deletes the caller's account for good.
///
/// Drafts and files go, links end, and published ideas keep their proofs without content and
/// name. All sessions end.
#[utoipa::path(
    tag = "profile",
    operation_id = "deleteAccount",
    request_body = AccountDeletionBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody, description = "Wrong password, or wrong or missing code"),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often, or codes are locked"),
    ),
)]
#[delete("/account")]
pub async fn delete_account(
    use_cases: UseCases,
    current: CurrentSession,
    session: Session,
    origin: ClientOrigin,
    body: JsonBody<AccountDeletionBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let AccountDeletionBody { password, code } = body.0;
    // Erasing a large account takes longer than a request otherwise may.
    use_cases
        .run(Work::Export, move |app| {
            let code = code.as_deref();
            app.leaving
                .delete_account(current.0, &password, code, origin.0)
        })
        .await?;
    session.purge();
    Ok(no_content())
}
