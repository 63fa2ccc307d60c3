//! JSON of a creator's links.

use ideavault_application::shares::{OwnShare, ShareChange};
use ideavault_domain::ids::ShareId;
use ideavault_domain::recipient::ERASED_EMAIL;
use ideavault_domain::share::{ShareRequest, ShareSettingsRequest, ShareState};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::notifications::NotificationModeView;
use super::share_type::ShareTypeView;
use super::time;

/// Body of the call that makes a link. A limit that does not belong to the type must be null
/// or absent.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareBody {
    /// one-time, time-dependent, full-access or email.
    #[schema(value_type = ShareTypeView)]
    pub share_type: String,
    /// Id of the idea to share.
    pub idea_id: i64,
    /// Expiry of a time-dependent link, RFC 3339; 7 days from now by default.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    /// Number of views in total; by default 1 for a one-time link, else unlimited.
    pub max_views: Option<i64>,
    /// The only address that can register on an email link.
    pub recipient_email: Option<String>,
    /// Whether readers may download the document; true by default.
    pub allow_download: Option<bool>,
    /// Name for the owner alone; at most 120 characters.
    pub name: Option<String>,
    /// Title that readers see until they have accepted the agreement, in place of the idea's; at most
    /// 200 characters.
    pub cover_title: Option<String>,
    /// A personal line in the mail that brings an email link, without addresses; at most 300
    /// characters. It is not kept once the mail is sent.
    pub message: Option<String>,
    /// Whether answers to that mail go to the creator, whose address it then shows; false by
    /// default.
    pub reply_to_me: Option<bool>,
    /// Whether its readers and those of the idea's other links with this setting see each
    /// other's names and comments; false by default.
    pub shows_other_readers: Option<bool>,
}

impl From<ShareBody> for ShareRequest {
    fn from(body: ShareBody) -> Self {
        Self {
            share_type: body.share_type,
            expires_at: body.expires_at,
            max_views: body.max_views,
            recipient_email: body.recipient_email,
            name: body.name,
            message: body.message,
            reply_to_me: body.reply_to_me.unwrap_or_default(),
            settings: ShareSettingsRequest {
                cover_title: body.cover_title,
                shows_other_readers: body.shows_other_readers,
                allow_download: body.allow_download,
            },
        }
    }
}

/// Body of the call that changes a link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareChangeBody {
    /// At most 120 characters; removed if blank or null, unchanged if absent.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub name: Option<Option<String>>,
    /// Title that readers see until they have accepted the agreement; removed if blank or null,
    /// unchanged if absent.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub cover_title: Option<Option<String>>,
    /// Whether its readers and those of the idea's other links with this setting see each
    /// other's names and comments; unchanged if absent.
    pub shows_other_readers: Option<bool>,
    /// Whether readers may download the document; unchanged if absent.
    pub allow_download: Option<bool>,
}

impl From<ShareChangeBody> for ShareChange {
    fn from(body: ShareChangeBody) -> Self {
        Self {
            name: body.name.map(Option::unwrap_or_default),
            settings: ShareSettingsRequest {
                cover_title: body.cover_title.map(Option::unwrap_or_default),
                shows_other_readers: body.shows_other_readers,
                allow_download: body.allow_download,
            },
        }
    }
}

/// Reads a field that is there, null included; serde uses the default for one that is not.
fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// State of a link (docs/rules.md#share-states).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ShareState)]
pub enum ShareStateView {
    /// Recipients can register.
    Active,
    /// All views are used.
    Exhausted,
    /// The link has expired.
    Expired,
    /// The owner has revoked it.
    Revoked,
}

impl From<ShareState> for ShareStateView {
    fn from(state: ShareState) -> Self {
        match state {
            ShareState::Active => Self::Active,
            ShareState::Exhausted => Self::Exhausted,
            ShareState::Expired => Self::Expired,
            ShareState::Revoked => Self::Revoked,
        }
    }
}

/// A link, as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Share)]
pub struct ShareView {
    id: Uuid,
    idea_id: i64,
    /// Name for the owner alone.
    #[schema(required)]
    name: Option<String>,
    /// Title that readers see until they have accepted the agreement, in place of the idea's.
    #[schema(required)]
    cover_title: Option<String>,
    share_type: ShareTypeView,
    #[schema(required, format = DateTime)]
    expires_at: Option<String>,
    #[schema(required)]
    max_views: Option<i32>,
    /// Null for other types, and once that person is erased.
    #[schema(required)]
    recipient_email: Option<String>,
    /// Token of the public page /view/{accessLink}; null if it is damaged: the link works, but
    /// cannot be copied.
    #[schema(required)]
    access_link: Option<String>,
    view_count: i32,
    shows_other_readers: bool,
    /// Whether readers may download the document.
    allow_download: bool,
    state: ShareStateView,
    /// When notices about it are mailed; null for the account's setting.
    #[schema(required)]
    notifications: Option<NotificationModeView>,
    #[schema(format = DateTime)]
    created_at: String,
    /// Time of the latest view.
    #[schema(required, format = DateTime)]
    last_view_at: Option<String>,
    /// Time from which recipients could not register any more, if there is one.
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
    /// Number of registrations that led to nothing yet, beyond the first few. The activity counts
    /// them instead of listing them.
    folded_registrations: i64,
}

impl From<OwnShare> for ShareView {
    fn from(
        OwnShare {
            share,
            token,
            state,
            last_view_at,
            ended_at,
            notifications,
            folded_registrations,
        }: OwnShare,
    ) -> Self {
        Self {
            id: share.id.as_uuid(),
            idea_id: share.idea.as_i64(),
            name: share.name.map(|name| name.to_string()),
            cover_title: share.settings.cover_title.map(|title| title.to_string()),
            share_type: share.terms.share_type().into(),
            expires_at: share.terms.expires_at().map(time),
            max_views: share.terms.max_views(),
            recipient_email: share
                .terms
                .recipient_email()
                .map(|email| email.to_string())
                .filter(|email| email != ERASED_EMAIL),
            access_link: token.map(|token| token.reveal()),
            view_count: share.view_count,
            shows_other_readers: share.settings.shows_other_readers,
            allow_download: share.settings.allow_download,
            state: state.into(),
            notifications: notifications.map(Into::into),
            created_at: time(share.created_at),
            last_view_at: last_view_at.map(time),
            ended_at: ended_at.map(time),
            folded_registrations,
        }
    }
}

/// Says which of the caller's links it is.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnShare)]
pub struct OwnShareView {
    /// Null if it is none of them.
    #[schema(required)]
    id: Option<Uuid>,
}

impl From<Option<ShareId>> for OwnShareView {
    fn from(id: Option<ShareId>) -> Self {
        Self {
            id: id.map(|id| id.as_uuid()),
        }
    }
}
