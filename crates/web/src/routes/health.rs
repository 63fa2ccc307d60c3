//! Is the process alive, and can it serve?

use std::time::Duration;

use actix_web::{HttpResponse, route};

use super::Cases;
use crate::http::error::ApiError;

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// Answers as long as the process lives.
#[route("/healthz", method = "GET", method = "HEAD")]
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// Answers 200 when the database can be reached, and 503 when not.
#[route("/readyz", method = "GET", method = "HEAD")]
pub async fn ready(cases: Cases) -> Result<HttpResponse, ApiError> {
    cases
        .run_within(PATIENCE, |app| app.database.ping())
        .await?;
    Ok(HttpResponse::Ok().content_type("text/plain").body("ok\n"))
}
