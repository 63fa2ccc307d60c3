//! The log of events as files (<https://c2sp.org/tlog-tiles>), outside the API.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Path;
use actix_web::{HttpResponse, get};
use ideavault_application::evidence::PublicLogError;
use ideavault_domain::evidence::LogId;

use super::{UseCases, Work};
use crate::http::error::ApiError;
use crate::http::identity::Anyone;

/// `Cache-Control` for the newest checkpoint and partial tiles, which change.
const CHANGES: &str = "no-store";
/// `Cache-Control` for full tiles, which never change. Private, because access can depend on the
/// session.
const FINAL: &str = "private, max-age=31536000, immutable";

/// Returns the newest signed checkpoint of a log.
#[get("/checkpoint")]
pub async fn get_checkpoint(
    use_cases: UseCases,
    Anyone(caller): Anyone,
    log: Path<i32>,
) -> Result<HttpResponse, ApiError> {
    let log = LogId::from_stored(log.into_inner());
    let note = use_cases
        .run(Work::Query, move |app| {
            app.public_log.checkpoint(caller.user, log)
        })
        .await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((CACHE_CONTROL, CHANGES))
        .body(note))
}

/// Returns a tile of a log: of hashes, or of entries.
#[get("/tile/{path:.*}")]
pub async fn get_tile(
    use_cases: UseCases,
    Anyone(caller): Anyone,
    path: Path<(i32, String)>,
) -> Result<HttpResponse, ApiError> {
    let (log, path) = path.into_inner();
    let log = LogId::from_stored(log);
    let tile = use_cases
        .run(Work::Query, move |app| {
            let path = format!("tile/{path}");
            app.public_log.tile(caller.user, log, &path)
        })
        .await?;
    let caching = match tile.is_full {
        true => FINAL,
        false => CHANGES,
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/octet-stream"))
        .insert_header((CACHE_CONTROL, caching))
        .body(tile.bytes))
}

/// Responds to other paths below a log.
pub async fn no_part() -> Result<HttpResponse, ApiError> {
    Err(ApiError::from(ideavault_domain::failure::Failure::from(
        PublicLogError::NotFound,
    )))
}
