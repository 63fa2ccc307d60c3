//! Exports: the activity on an idea, and agreements.

use actix_web::http::header;
use actix_web::web::{Bytes, Path};
use actix_web::{HttpResponse, get};
use futures_util::{Stream, stream};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::page::Paging;

use super::{UseCases, Work};
use crate::app::App;
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::{Anyone, SignedIn};
use crate::http::params;
use crate::wire::activity::ActivityView;
use crate::wire::exports::ExportFormat;

/// Exports the activity on one of the caller's ideas as CSV, the newest first; also for a
/// deleted one.
///
/// Spreadsheets take no cell for a formula.
#[utoipa::path(
    tag = "ideas",
    operation_id = "exportActivityCsv",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/activity.csv")]
pub async fn export_activity_csv(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    export(use_cases, user, origin, &id, ExportFormat::Csv).await
}

/// Exports the activity on one of the caller's ideas as a JSON array, the newest first; also
/// for a deleted one.
///
/// Entries are those of the activity list.
#[utoipa::path(
    tag = "ideas",
    operation_id = "exportActivityJson",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = Vec<ActivityView>),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/activity.json")]
pub async fn export_activity_json(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    export(use_cases, user, origin, &id, ExportFormat::Json).await
}

async fn export(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: &str,
    format: ExportFormat,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(id)?;
    use_cases
        .run(Work::Query, move |app| {
            app.evidence.begin_export(user.0, id, origin.0)
        })
        .await?;
    let name = format!(
        "attachment; filename=\"idea-{id}-activity.{}\"",
        format.extension()
    );
    Ok(HttpResponse::Ok()
        .content_type(format.media_type())
        .insert_header((header::CONTENT_DISPOSITION, name))
        .streaming(pages(use_cases, user.0, id, format)))
}

/// Only one page is in memory at a time.
fn pages(
    use_cases: UseCases,
    user: UserId,
    id: IdeaId,
    format: ExportFormat,
) -> impl Stream<Item = Result<Bytes, ApiError>> {
    let first = Some((Paging::default(), true));
    stream::try_unfold(first, move |state| {
        let use_cases = use_cases.clone();
        async move {
            let Some((paging, is_first)) = state else {
                return Ok(None);
            };
            let write = move |app: &App| {
                let page = app.evidence.activity(user, id, paging)?;
                let next = page.next().map(|after| {
                    let after = Some(after);
                    (Paging { after, ..paging }, false)
                });
                let rows = page.into_items().into_iter();
                let rows: Vec<_> = rows.map(ActivityView::from).collect();
                let part = format.part(&rows, is_first, next.is_none())?;
                Ok::<_, Failure>((part, next))
            };
            let (part, next) = use_cases.read(Work::Query, write).await?;
            Ok(Some((Bytes::from(part), next)))
        }
    })
}

/// Returns the exact text of an accepted agreement.
///
/// For the recipient's own browser, also after the view has ended, and for the owner of the
/// idea.
#[utoipa::path(
    tag = "recipients",
    operation_id = "getAgreement",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 404, body = ErrorBody, description = "Not accepted, or not for the caller"),
        (status = 410, body = ErrorBody, description = "A person whom it names was erased"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/agreement.txt")]
pub async fn get_agreement(
    use_cases: UseCases,
    caller: Anyone,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let agreement = use_cases
        .run(Work::Query, move |app| {
            app.evidence.agreement(&caller.0, id)
        })
        .await?;
    Ok(saved_agreement(&agreement))
}

/// Returns the text of an agreement as a file, named as its page names it.
pub(super) fn saved_agreement(agreement: &Agreement) -> HttpResponse {
    let name = format!(
        "attachment; filename=\"NDA-Agreement-Idea-{}.txt\"",
        agreement.idea
    );
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .body(agreement.text())
}
