//! JSON of notices and of their mail settings.

use ideavault_domain::notice::{Notice, NoticeKind, NotificationMode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::share_type::ShareTypeView;
use super::time;

/// When notices are mailed.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = NotificationMode)]
pub enum NotificationModeView {
    /// Within 30 seconds.
    AtOnce,
    /// Once a day.
    Daily,
    /// Never.
    Never,
}

impl From<NotificationMode> for NotificationModeView {
    fn from(mode: NotificationMode) -> Self {
        match mode {
            NotificationMode::AtOnce => Self::AtOnce,
            NotificationMode::Daily => Self::Daily,
            NotificationMode::Never => Self::Never,
        }
    }
}

/// Kind of event.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = NoticeKind)]
pub enum NoticeKindView {
    /// A reader accepted the agreement.
    Agreed,
    /// A reader opened the idea for the first time.
    FirstRead,
    /// A reader commented.
    Commented,
    /// A reader declined the agreement.
    Declined,
    /// A reader who had accepted came back to a link that has ended.
    Refused,
    /// Somebody entered an address that the link is not for.
    WrongAddress,
    /// Somebody used up the attempts of a code.
    WrongCode,
    /// All views of the link are used.
    UsedUp,
    /// One view is left.
    OneViewLeft,
    /// The link expires within a day.
    EndingSoon,
    /// The owner replied to a comment; owners get no notice of it.
    Answered,
}

impl From<NoticeKind> for NoticeKindView {
    fn from(kind: NoticeKind) -> Self {
        match kind {
            NoticeKind::Agreed => Self::Agreed,
            NoticeKind::FirstRead => Self::FirstRead,
            NoticeKind::Commented => Self::Commented,
            NoticeKind::Declined => Self::Declined,
            NoticeKind::Refused => Self::Refused,
            NoticeKind::WrongAddress => Self::WrongAddress,
            NoticeKind::WrongCode => Self::WrongCode,
            NoticeKind::UsedUp => Self::UsedUp,
            NoticeKind::OneViewLeft => Self::OneViewLeft,
            NoticeKind::EndingSoon => Self::EndingSoon,
            NoticeKind::Answered => Self::Answered,
        }
    }
}

/// A notice about one of the caller's links.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notice)]
pub struct NoticeView {
    id: i64,
    kind: NoticeKindView,
    /// Time of the latest event.
    #[schema(format = DateTime)]
    at: String,
    idea_id: i64,
    idea_title: String,
    share_id: Uuid,
    share_type: ShareTypeView,
    /// The owner's name for the link.
    #[schema(required)]
    share_name: Option<String>,
    /// Name that the reader gave, if the notice is about a reader.
    #[schema(required)]
    recipient_name: Option<String>,
    /// Number of events that the notice stands for.
    count: i32,
    /// Whether the owner has read it.
    read: bool,
}

impl From<Notice> for NoticeView {
    fn from(notice: Notice) -> Self {
        Self {
            id: notice.seq,
            kind: notice.kind.into(),
            at: time(notice.last_at),
            idea_id: notice.idea.as_i64(),
            idea_title: notice.title.to_string(),
            share_id: notice.share.as_uuid(),
            share_type: notice.share_type.into(),
            share_name: notice.share_name.map(|name| name.to_string()),
            recipient_name: notice.name.map(|name| name.to_string()),
            count: notice.count,
            read: notice.read,
        }
    }
}

/// Unread notices.
#[derive(Serialize, ToSchema)]
#[schema(as = UnreadNotices)]
pub struct UnreadView {
    /// Number of unread notices.
    pub unread: i64,
}

/// Body of the call that marks notices as read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadNoticesBody {
    /// Time of the newest notice that was read, RFC 3339.
    #[schema(format = DateTime)]
    pub up_to: String,
}

/// Body of the call that changes when notices are mailed.
#[derive(Deserialize, ToSchema)]
pub struct NotificationSettingsBody {
    /// at-once, daily or never.
    #[schema(value_type = NotificationModeView)]
    pub mode: String,
}

/// Mail setting of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = NotificationSettings)]
pub struct NotificationSettingsView {
    /// When notices are mailed.
    pub mode: NotificationModeView,
}

/// Body of the call that changes when notices about one link are mailed.
#[derive(Deserialize, ToSchema)]
pub struct ShareNotificationsBody {
    /// at-once, daily or never; null for the account's setting.
    #[schema(value_type = Option<NotificationModeView>)]
    pub mode: Option<String>,
}

/// Mail setting of a link.
#[derive(Serialize, ToSchema)]
#[schema(as = ShareNotifications)]
pub struct ShareNotificationsView {
    /// When notices about it are mailed; null for the account's setting.
    #[schema(required)]
    pub mode: Option<NotificationModeView>,
}
