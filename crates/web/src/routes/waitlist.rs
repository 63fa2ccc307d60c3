//! The waitlist.

use actix_web::post;
use actix_web::web::Json;

use super::{UseCases, Work};
use crate::http::body::{JsonBody, SMALL};
use crate::http::error::{ApiError, ErrorBody};
use crate::wire::accounts::SuccessView;
use crate::wire::waitlist::WaitlistBody;

/// Adds somebody to the waitlist.
///
/// An address that is on it already gets the same response, and is kept once.
#[utoipa::path(
    tag = "waitlist",
    operation_id = "joinWaitlist",
    request_body = WaitlistBody,
    responses(
        (status = 200, body = SuccessView),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/waitlist")]
pub async fn join_waitlist(
    use_cases: UseCases,
    body: JsonBody<WaitlistBody, SMALL>,
) -> Result<Json<SuccessView>, ApiError> {
    let WaitlistBody {
        name,
        email,
        profession,
    } = body.0;
    use_cases
        .run(Work::Query, move |app| {
            app.waitlist.join(&name, &email, &profession)
        })
        .await?;
    Ok(Json(SuccessView::YES))
}
