//! The idea search and the writing assistant.

use actix_web::post;
use actix_web::web::{Data, Json};
use ideavault_application::assistance::Assistance;
use ideavault_domain::failure::Failure;

use crate::http::body::{CONVERSATION, JsonBody};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::{Anyone, SignedIn};
use crate::http::rates::Rates;
use crate::wire::assistance::{AssistantBody, AssistantView, SearchBody, SearchView};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

/// Searches for similar ideas.
#[utoipa::path(
    tag = "assistance",
    operation_id = "searchIdeas",
    request_body = SearchBody,
    responses(
        (status = 200, body = SearchView),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
        (status = 502, body = ErrorBody, description = "The provider failed"),
        (status = 503, body = ErrorBody, description = "No provider is configured"),
        (status = 504, body = ErrorBody, description = "The provider took too long"),
    ),
)]
#[post("/ai-search")]
pub async fn search_ideas(
    assistance: Data<Assistance>,
    rates: Rates,
    anyone: Anyone,
    body: JsonBody<SearchBody>,
) -> Result<Json<SearchView>, ApiError> {
    if anyone.0.user.is_none() {
        let everybody = LimitKey::common("", rates.client());
        rates.admit(RateLimit::SearchByAnyone, everybody)?;
    }
    let answer = assistance
        .search(&body.0.query)
        .await
        .map_err(Failure::from)?;
    Ok(Json(answer.into()))
}

/// Sends a message to the writing assistant.
#[utoipa::path(
    tag = "assistance",
    operation_id = "askAssistant",
    request_body = AssistantBody,
    responses(
        (status = 200, body = AssistantView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
        (status = 502, body = ErrorBody, description = "The provider failed"),
        (status = 503, body = ErrorBody, description = "No provider is configured"),
        (status = 504, body = ErrorBody, description = "The provider took too long"),
    ),
)]
#[post("/ai-writing-assistant")]
pub async fn ask_assistant(
    assistance: Data<Assistance>,
    _user: SignedIn,
    body: JsonBody<AssistantBody, CONVERSATION>,
) -> Result<Json<AssistantView>, ApiError> {
    let history = body.0.conversation_history.iter();
    let answer = assistance
        .converse(
            &body.0.message,
            history.map(|turn| (turn.role.as_str(), turn.content.as_str())),
        )
        .await
        .map_err(Failure::from)?;
    Ok(Json(answer.into()))
}
