//! The evidence of ideas.

use std::time::Duration;

use actix_web::web::{Json, Path, Query};
use actix_web::{HttpResponse, get, post};
use ideavault_application::evidence::{BundleError, BundlePlan};
use ideavault_application::share_access::{BundleHolder, ShareReference};
use ideavault_domain::failure::Failure;
use ideavault_domain::page::Paging;
use ideavault_files::Scratch;

use super::{UseCases, Work};
use crate::app::App;
use crate::http::archives::{Archives, OpenArchive, spooled};
use crate::http::download;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::{SignedIn, Viewer};
use crate::http::links::LinkGuard;
use crate::http::paging::PageQuery;
use crate::http::params;
use crate::wire::evidence::EvidenceView;

/// Returns the evidence of one of the caller's ideas, also of a deleted one.
///
/// Events are the newest first.
#[utoipa::path(
    tag = "evidence",
    operation_id = "getEvidence",
    params(("id" = i64, Path), PageQuery),
    responses(
        (status = 200, body = EvidenceView),
        (status = 400, body = ErrorBody, description = "Invalid `limit` or `cursor`"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/evidence")]
pub async fn get_evidence(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let paging = page.parse()?;
    let look = move |app: &App| {
        let evidence = app.evidence.of_idea(user.0, id, paging);
        evidence.map(EvidenceView::from)
    };
    Ok(use_cases.respond(look).await?)
}

/// Puts the current revision of one of the caller's ideas on record.
///
/// Repeated for the same revision, it returns the same.
#[utoipa::path(
    tag = "evidence",
    operation_id = "recordRevision",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = EvidenceView),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/{id}/evidence/record")]
pub async fn record_revision(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<Json<EvidenceView>, ApiError> {
    let id = params::idea(&id)?;
    let evidence = use_cases
        .run(Work::Query, move |app| {
            app.evidence.record(user.0, id)?;
            app.evidence.of_idea(user.0, id, Paging::default())
        })
        .await?;
    Ok(Json(evidence.into()))
}

/// How long an answer waits for the places of events that were just recorded.
const PLACES_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause between two looks at them.
const PLACES_INTERVAL: Duration = Duration::from_millis(200);

/// Returns the evidence of one of the caller's ideas as a file that can be verified without
/// this server, also of a deleted idea.
#[utoipa::path(
    tag = "evidence",
    operation_id = "downloadEvidence",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Nothing is on record yet"),
        (status = 429, body = ErrorBody, description = "Too often, or another one is being sent"),
        (status = 507, body = ErrorBody, description = "The server's disk has no space to spare"),
    ),
)]
#[get("/{id}/evidence.zip")]
pub async fn download_evidence(
    use_cases: UseCases,
    archives: Archives,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let open = archives.open().await?;
    let plan = planned(&use_cases, move |app| {
        app.bundles.plan_for_owner(user.0, id)
    })
    .await?;
    let name = plan.name().to_owned();
    let file = written(&use_cases, plan).await?;
    sent(use_cases, &name, file, open)
}

/// Returns the caller's own evidence of a shared idea, as a file that can be verified without
/// this server.
///
/// For a reader who accepted the agreement, while the link is open for that reader.
#[utoipa::path(
    tag = "evidence",
    operation_id = "downloadSharedEvidence",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 403, body = ErrorBody, description = "The agreement is not accepted"),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often, or another one is being sent"),
        (status = 507, body = ErrorBody, description = "The server's disk has no space to spare"),
    ),
)]
#[get("/{token}/evidence.zip")]
pub async fn download_shared_evidence(
    use_cases: UseCases,
    archives: Archives,
    guard: LinkGuard,
    viewer: Viewer,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = guard.token(&token)?;
    let link = ShareReference::Token(token.clone());
    let holder = move |app: &App| app.share_access.bundle_holder(&token, viewer.0.as_ref());
    let before = guard.run(link, holder.clone()).await?;
    let open = archives.open().await?;
    let BundleHolder {
        idea,
        recipient,
        may_have_content,
    } = before;
    let plan = planned(&use_cases, move |app| {
        app.bundles
            .plan_for_recipient(idea, recipient, may_have_content)
    })
    .await?;
    let name = plan.name().to_owned();
    let file = written(&use_cases, plan).await?;
    // The link may have been revoked, or the view have ended, while it was written.
    let after = use_cases.run(Work::Query, holder).await?;
    if after != before {
        return Err(Failure::NotFound.into());
    }
    sent(use_cases, &name, file, open)
}

/// Plans a bundle, and waits a little for events that were just recorded. The bundle says
/// what it still lacks.
async fn planned(
    use_cases: &UseCases,
    plan: impl Fn(&App) -> Result<BundlePlan, BundleError> + Clone + Send + 'static,
) -> Result<BundlePlan, ApiError> {
    let first = use_cases.run(Work::Query, plan.clone()).await?;
    let Some(pending) = first.newest_pending() else {
        return Ok(first);
    };
    let signed = async {
        while !use_cases
            .run(Work::Query, move |app| app.bundles.is_signed_for(pending))
            .await?
        {
            tokio::time::sleep(PLACES_INTERVAL).await;
        }
        Ok::<_, ApiError>(())
    };
    match tokio::time::timeout(PLACES_TIMEOUT, signed).await {
        Ok(signed) => signed?,
        Err(_) => return Ok(first),
    }
    Ok(use_cases.run(Work::Query, plan).await?)
}

async fn written(use_cases: &UseCases, plan: BundlePlan) -> Result<Scratch, ApiError> {
    let file = use_cases.run_while_awaited(Work::Bundle, move |app, is_awaited| {
        spooled(&app.scratch, is_awaited, |to| app.bundles.write(&plan, to))
    });
    Ok(file.await?)
}

fn sent(
    use_cases: UseCases,
    name: &str,
    file: Scratch,
    open: OpenArchive,
) -> Result<HttpResponse, ApiError> {
    download::archive(use_cases, &format!("evidence-{name}.zip"), file, open)
}
