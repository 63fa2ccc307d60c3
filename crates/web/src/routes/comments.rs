//! Comments.

use actix_web::http::StatusCode;
use actix_web::web::{Json, Path, Query};
use actix_web::{CustomizeResponder, HttpResponse, Responder as _, delete, get, post, put};
use ideavault_application::audit::Refused;
use ideavault_application::comments::CommentForm;

use crate::http::body::JsonBody;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::RequestKey;
use crate::http::identity::Anyone;
use crate::http::paging::PageQuery;
use crate::http::params;
use crate::http::refusals::Refusals;
use crate::http::response_cache::ResponseCache;
use crate::wire::comments::{CommentBody, CommentEditBody, CommentFilter, CommentView};

/// Lists the comments on an idea, or all that the caller may read, the oldest first.
#[utoipa::path(
    tag = "comments",
    operation_id = "listComments",
    params(CommentFilter, PageQuery),
    responses(
        (
            status = 200,
            body = Vec<CommentView>,
            headers(("Link" = Option<String>, description = "The next page, if there is one")),
        ),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The NDA is not accepted"),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/comments")]
pub async fn list_comments(
    cache: ResponseCache,
    caller: Anyone,
    refusals: Refusals,
    filter: Query<CommentFilter>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let idea = params::idea_filter(filter.idea_id.as_deref())?;
    let paging = page.parse()?;
    let refused = Refused::Comments {
        recipient: None,
        idea,
    };
    let Anyone(caller) = caller;
    let (user, viewer) = (caller.user, caller.viewer.clone());
    let list = refusals.watching(refused, caller, move |app, caller| {
        app.comments.list(caller, idea, paging)
    });
    let comments = cache.page::<CommentView, _, _, _>(user, viewer.as_ref(), list);
    Ok(comments.await?)
}

/// Adds a comment, as a recipient who has agreed or as the idea's owner.
///
/// Repeated with the same key by the same writer, it adds nothing and returns the comment that is
/// there.
#[utoipa::path(
    tag = "comments",
    operation_id = "createComment",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body = CommentBody,
    responses(
        (status = 201, body = CommentView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "The NDA is not accepted"),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The comment that it replies to was withdrawn"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/comments")]
pub async fn create_comment(
    caller: Anyone,
    refusals: Refusals,
    key: RequestKey,
    body: JsonBody<CommentBody>,
) -> Result<CustomizeResponder<Json<CommentView>>, ApiError> {
    let body = body.0;
    let recipient = body.recipient_id.as_deref().map(params::id).transpose()?;
    let reply_to = body.reply_to.as_deref().map(params::id).transpose()?;
    let idea = body.idea_id.map(Into::into);
    let refused = Refused::Comments { recipient, idea };
    let comment = refusals
        .run(refused, caller.0, move |app, caller| {
            let form = CommentForm {
                recipient,
                idea,
                reply_to,
                text: &body.content,
                request: key.0.as_ref(),
            };
            app.comments.add(caller, form)
        })
        .await?;
    Ok(Json(CommentView::from(comment))
        .customize()
        .with_status(StatusCode::CREATED))
}

/// Recorded when a caller may not change a comment.
const OWN_COMMENT: Refused = Refused::Comments {
    recipient: None,
    idea: None,
};

/// Changes the text of the caller's comment, within ten minutes after it was written.
#[utoipa::path(
    tag = "comments",
    operation_id = "editComment",
    params(("id" = Uuid, Path)),
    request_body = CommentEditBody,
    responses(
        (status = 200, body = CommentView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "Absent, or somebody else's"),
        (status = 409, body = ErrorBody, description = "Too old, or withdrawn"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/comments/{id}")]
pub async fn edit_comment(
    caller: Anyone,
    refusals: Refusals,
    id: Path<String>,
    body: JsonBody<CommentEditBody>,
) -> Result<Json<CommentView>, ApiError> {
    let id = params::id(&id)?;
    let comment = refusals
        .run(OWN_COMMENT, caller.0, move |app, caller| {
            app.comments.edit(caller, id, &body.0.content)
        })
        .await?;
    Ok(Json(comment.into()))
}

/// Withdraws the caller's comment: its text is erased, the entry stays.
#[utoipa::path(
    tag = "comments",
    operation_id = "withdrawComment",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = CommentView),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "Absent, or somebody else's"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/comments/{id}")]
pub async fn withdraw_comment(
    caller: Anyone,
    refusals: Refusals,
    id: Path<String>,
) -> Result<Json<CommentView>, ApiError> {
    let id = params::id(&id)?;
    let comment = refusals
        .run(OWN_COMMENT, caller.0, move |app, caller| {
            app.comments.withdraw(caller, id)
        })
        .await?;
    Ok(Json(comment.into()))
}
