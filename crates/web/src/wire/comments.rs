//! JSON of comments.

use ideavault_domain::comment::Comment;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Query of the list of comments.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CommentFilter {
    /// Id of an idea; by default all comments that the caller may read.
    #[param(value_type = Option<i64>)]
    pub idea_id: Option<String>,
}

/// Body of the call that adds a comment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentBody {
    /// Id of the author; must be a recipient of this browser.
    #[schema(value_type = Option<Uuid>)]
    pub recipient_id: Option<String>,
    /// Ignored; the server knows the author.
    #[expect(
        dead_code,
        reason = "the spec's client sends it, and it must not count"
    )]
    pub author: Option<String>,
    /// Not blank, at most 5,000 characters.
    pub content: String,
    /// Id of the idea, if its owner is the author.
    pub idea_id: Option<i64>,
    /// Id of the comment that this one replies to.
    #[schema(value_type = Option<Uuid>)]
    pub reply_to: Option<String>,
}

/// Body of the call that edits a comment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentEditBody {
    /// Not blank, at most 5,000 characters.
    pub content: String,
}

/// A comment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Comment)]
pub struct CommentView {
    id: Uuid,
    /// Null if the idea's owner wrote it.
    #[schema(required)]
    recipient_id: Option<Uuid>,
    author: String,
    /// Empty if it was withdrawn.
    content: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// Time of the author's last change.
    #[schema(required, format = DateTime)]
    edited_at: Option<String>,
    /// Time at which the author withdrew it.
    #[schema(required, format = DateTime)]
    withdrawn_at: Option<String>,
    /// Id of the first comment in the thread of a reply.
    #[schema(required)]
    reply_to: Option<Uuid>,
}

impl From<Comment> for CommentView {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id.as_uuid(),
            recipient_id: comment.recipient.map(|id| id.as_uuid()),
            author: comment.author.to_string(),
            content: comment.text.as_str().to_owned(),
            created_at: super::time(comment.created_at),
            edited_at: comment.edited_at.map(super::time),
            withdrawn_at: comment.withdrawn_at.map(super::time),
            reply_to: comment.reply_to.map(|id| id.as_uuid()),
        }
    }
}
