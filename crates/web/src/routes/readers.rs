//! The caller's readers, of one idea and over all.

use actix_web::http::header;
use actix_web::web::Query;
use actix_web::{HttpRequest, HttpResponse, get};
use ideavault_domain::failure::Failure;
use ideavault_domain::reader::ReaderFilter;

use super::{UseCases, Work};
use crate::app::App;
use crate::http::cacheable::CacheableResponse;
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::paging::{PageQuery, linked};
use crate::http::response_cache::ResponseCache;
use crate::wire::exports::ExportFormat;
use crate::wire::readers::{FormatQuery, ReaderView, ReadersQuery, ReadersView, exported};

/// Lists the registrations on the links of the caller's ideas, also of deleted ones.
///
/// Of registrations without any further step, only the first few of each link are among them, as
/// in the activity. Times without a zone and unknown values are refused.
#[utoipa::path(
    tag = "readers",
    operation_id = "listReaders",
    params(ReadersQuery, PageQuery),
    responses(
        (
            status = 200,
            body = ReadersView,
            headers(("Link" = Option<String>, description = "The next page, if there is one")),
        ),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 413, body = ErrorBody, description = "Too many to look through"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("")]
pub async fn list_readers(
    cache: ResponseCache,
    user: SignedIn,
    request: HttpRequest,
    wanted: Query<ReadersQuery>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let filter = ReaderFilter::parse(&wanted.parse()?)?;
    let paging = page.parse()?;
    let uri = request.uri().clone();
    let list = move |app: &App| {
        let (page, total) = app.readers.list(user.0, &filter, paging)?;
        let next = page.next();
        let readers = page.into_items().into_iter().map(ReaderView::from);
        let readers = readers.collect();
        let view = ReadersView {
            readers,
            total,
            next: next.map(|cursor| cursor.to_string()),
        };
        linked(CacheableResponse::json(&view)?, &uri, next)
    };
    Ok(cache.find::<Failure, _>(Some(user.0), None, list).await?)
}

/// Exports the registrations that [`list_readers`] finds, as CSV or JSON.
///
/// The CSV begins with a byte order mark, and spreadsheets take no cell for a formula.
#[utoipa::path(
    tag = "readers",
    operation_id = "exportReaders",
    params(FormatQuery, ReadersQuery),
    responses(
        (status = 200, content((Vec<ReaderView> = "application/json"), (String = "text/csv"))),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 413, body = ErrorBody, description = "Too many"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[get("/export")]
pub async fn export_readers(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    format: Query<FormatQuery>,
    wanted: Query<ReadersQuery>,
) -> Result<HttpResponse, ApiError> {
    let format = ExportFormat::parse(format.format.as_deref().unwrap_or_default())?;
    let filter = ReaderFilter::parse(&wanted.parse()?)?;
    let file = use_cases
        .run(Work::Large, move |app: &App| {
            let readers = app.readers.export(user.0, &filter, origin.0)?;
            exported(readers, format)
        })
        .await?;
    let name = format!("attachment; filename=\"readers.{}\"", format.extension());
    Ok(HttpResponse::Ok()
        .content_type(format.media_type())
        .insert_header((header::CONTENT_DISPOSITION, name))
        .body(file))
}
