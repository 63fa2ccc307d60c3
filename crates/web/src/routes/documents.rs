//! Documents that people keep, and public records.

use actix_web::http::header;
use actix_web::web::{Json, Path, Query};
use actix_web::{HttpResponse, get, put};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::reader::{ReaderFilter, ReaderQuery};

use super::{UseCases, Work};
use crate::app::App;
use crate::http::body::JsonBody;
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::{Anyone, SignedIn};
use crate::http::params;
use crate::wire::documents::{PublicRecordSwitch, PublicRecordView};
use crate::wire::readers::ReadersQuery;
use crate::wire::reports::{self, ReportFormat, ReportFormatQuery};

/// A report runs nothing and loads nothing.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                             form-action 'none'; frame-ancestors 'none'; sandbox allow-modals";

/// Returns the receipt of an accepted agreement as a PDF, with its proof inside.
///
/// For the recipient's own browser, also after the view has ended, and for the owner of the
/// idea.
#[utoipa::path(
    tag = "recipients",
    operation_id = "downloadReceipt",
    params(("id" = uuid::Uuid, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/pdf"),
        (status = 404, body = ErrorBody, description = "Not accepted, or not for the caller"),
        (status = 410, body = ErrorBody, description = "A person whom it names was erased"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/receipt.pdf")]
pub async fn download_receipt(
    use_cases: UseCases,
    caller: Anyone,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id: RecipientId = params::id(&id)?;
    let pdf = use_cases
        .run(Work::Page, move |app| app.documents.receipt(&caller.0, id))
        .await?;
    Ok(saved(&format!("receipt-{id}.pdf"), pdf))
}

/// Returns the certificate of one of the caller's published ideas as a PDF of one page.
#[utoipa::path(
    tag = "evidence",
    operation_id = "downloadCertificate",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/pdf"),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The idea is a draft"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/certificate.pdf")]
pub async fn download_certificate(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let pdf = use_cases
        .run(Work::Page, move |app| app.documents.certificate(user.0, id))
        .await?;
    Ok(saved(&format!("certificate-{id}.pdf"), pdf))
}

/// Returns in words what is recorded of one of the caller's ideas and its readers, whole: as a PDF, or
/// as a page to print.
///
/// With filters, it is about the readers that they find, and about nothing else.
#[utoipa::path(
    tag = "evidence",
    operation_id = "getReport",
    params(("id" = i64, Path), ReportFormatQuery, ReadersQuery),
    responses(
        (status = 200, content(
            (Vec<u8> = "application/pdf"),
            (String = "text/html"),
        )),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 413, body = ErrorBody, description = "Too much for one report"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/{id}/report")]
pub async fn get_report(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
    format: Query<ReportFormatQuery>,
    wanted: Query<ReadersQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let format = format.parse()?;
    let query = ReaderQuery {
        idea: Some(id),
        ..wanted.parse()?
    };
    let filter = ReaderFilter::parse(&query)?;
    let write = move |app: &App| {
        let report = app.documents.report(user.0, id, &filter)?;
        app.evidence.begin_export(user.0, id, origin.0)?;
        Ok::<_, Failure>(match format {
            ReportFormat::Pdf => app.documents.write_report(&report)?,
            ReportFormat::Html => reports::page(report)?.into_bytes(),
        })
    };
    let written = use_cases.run(Work::Bundle, write).await?;
    Ok(match format {
        ReportFormat::Pdf => saved(&format!("report-{id}.pdf"), written),
        ReportFormat::Html => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .insert_header((header::CACHE_CONTROL, "private, no-store"))
            .insert_header((header::CONTENT_SECURITY_POLICY, REPORT_POLICY))
            .body(written),
    })
}

/// Turns the public record of one of the caller's published ideas on or off.
#[utoipa::path(
    tag = "evidence",
    operation_id = "setPublicRecord",
    params(("id" = i64, Path)),
    request_body = PublicRecordSwitch,
    responses(
        (status = 200, body = PublicRecordSwitch),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The idea is a draft"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}/public-record")]
pub async fn set_public_record(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    body: JsonBody<PublicRecordSwitch>,
) -> Result<Json<PublicRecordSwitch>, ApiError> {
    let id = params::idea(&id)?;
    let enabled = body.0.enabled;
    use_cases
        .run(Work::Query, move |app| {
            app.documents.set_public_record(user.0, id, enabled)
        })
        .await?;
    Ok(Json(PublicRecordSwitch { enabled }))
}

/// Returns the public record of a published idea, to anybody.
///
/// It names neither the idea nor anybody. One that is off is answered like one that never was.
#[utoipa::path(
    tag = "evidence",
    operation_id = "getPublicRecord",
    params(("documentId" = String, Path)),
    responses(
        (status = 200, body = PublicRecordView),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/record/{documentId}")]
pub async fn get_public_record(
    use_cases: UseCases,
    document_id: Path<String>,
) -> Result<Json<PublicRecordView>, ApiError> {
    let record = use_cases
        .run(Work::Query, move |app| {
            app.documents.public_record(&document_id)
        })
        .await?;
    Ok(Json(record.into()))
}

pub(super) fn saved(name: &str, pdf: Vec<u8>) -> HttpResponse {
    let disposition = format!("attachment; filename=\"{name}\"");
    HttpResponse::Ok()
        .content_type("application/pdf")
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .body(pdf)
}
