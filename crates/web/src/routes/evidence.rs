//! The evidence of ideas.

use actix_web::web::{Json, Path, Query};
use actix_web::{get, post};
use ideavault_domain::page::Paging;

use super::UseCases;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
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
    ),
)]
#[get("/ideas/{id}/evidence")]
pub async fn get_evidence(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    page: Query<PageQuery>,
) -> Result<Json<EvidenceView>, ApiError> {
    let id = params::idea(&id)?;
    let paging = page.parse()?;
    let evidence = use_cases
        .run(move |app| app.evidence.of_idea(user.0, id, paging))
        .await?;
    Ok(Json(evidence.into()))
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
#[post("/ideas/{id}/evidence/record")]
pub async fn record_revision(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<Json<EvidenceView>, ApiError> {
    let id = params::idea(&id)?;
    let evidence = use_cases
        .run(move |app| {
            app.evidence.record(user.0, id)?;
            app.evidence.of_idea(user.0, id, Paging::default())
        })
        .await?;
    Ok(Json(evidence.into()))
}
