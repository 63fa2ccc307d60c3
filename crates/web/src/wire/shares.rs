//! A creator's links on the wire.

use ideavault_application::shares::OwnShare;
use ideavault_domain::share::{ShareState, ShareType};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::notifications::NotificationModeView;
use super::time;

/// Body of the call that makes a link. A limit that the type does not have
/// must be null or absent.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareBody {
    /// one-time, time-dependent, full-access or email.
    #[schema(value_type = ShareTypeView)]
    pub share_type: String,
    /// The idea to disclose.
    pub idea_id: i64,
    /// End of a time-dependent link, RFC 3339; by default 7 days from now.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    /// Views in all; by default 1 for a one-time link, else unlimited.
    pub max_views: Option<i64>,
    /// The only address that may register on an email link.
    pub recipient_email: Option<String>,
    /// Whether readers may download the document; by default they may.
    pub allow_download: Option<bool>,
    /// How its owner tells it from others: at most 120 characters, seen by nobody else.
    pub name: Option<String>,
    /// Whether readers of this link and of the idea's other links that allow it,
    /// too, see each other's names and comments; by default not.
    #[serde(default)]
    pub shows_other_readers: bool,
}

/// Body of the call that changes a link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareChangeBody {
    /// At most 120 characters; blank, null or absent takes the name away.
    pub name: Option<String>,
    /// Whether its readers and those of the idea's other links that allow it, too,
    /// see each other's names and comments; absent, that stays as it is.
    pub shows_other_readers: Option<bool>,
}

/// What kind of link it is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ShareType)]
pub enum ShareTypeView {
    /// A counted number of readers, one view each.
    OneTime,
    /// Until a date.
    TimeDependent,
    /// Until revoked.
    FullAccess,
    /// Until revoked, for one address.
    Email,
}

impl From<ShareType> for ShareTypeView {
    fn from(share_type: ShareType) -> Self {
        match share_type {
            ShareType::OneTime => Self::OneTime,
            ShareType::TimeDependent => Self::TimeDependent,
            ShareType::FullAccess => Self::FullAccess,
            ShareType::Email => Self::Email,
        }
    }
}

/// What a link can still do.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ShareState)]
pub enum ShareStateView {
    /// New recipients can register.
    Active,
    /// All views are given.
    Exhausted,
    /// Its time is over.
    Expired,
    /// Its creator ended it.
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
    /// How its owner calls it.
    #[schema(required)]
    name: Option<String>,
    share_type: ShareTypeView,
    #[schema(required, format = DateTime)]
    expires_at: Option<String>,
    #[schema(required)]
    max_views: Option<i32>,
    #[schema(required)]
    recipient_email: Option<String>,
    /// The token of the public page /view/{accessLink}.
    access_link: String,
    view_count: i32,
    shows_other_readers: bool,
    /// Whether its readers may download the document.
    allow_download: bool,
    state: ShareStateView,
    /// When mails about it come; null as the account has it.
    #[schema(required)]
    notifications: Option<NotificationModeView>,
    #[schema(format = DateTime)]
    created_at: String,
    /// When it gave its last view.
    #[schema(required, format = DateTime)]
    last_view_at: Option<String>,
    /// When it stopped taking new recipients, if it has.
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
    /// Registrations beyond the first few that led to nothing yet: the activity counts
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
            share_type: share.terms.share_type.into(),
            expires_at: share.terms.expires_at.map(time),
            max_views: share.terms.max_views,
            recipient_email: share.terms.recipient_email.map(|email| email.to_string()),
            access_link: token.reveal(),
            view_count: share.view_count,
            shows_other_readers: share.shows_other_readers,
            allow_download: share.allow_download,
            state: state.into(),
            notifications: notifications.map(Into::into),
            created_at: time(share.created_at),
            last_view_at: last_view_at.map(time),
            ended_at: ended_at.map(time),
            folded_registrations,
        }
    }
}
