//! Notices and how they are mailed, on the wire.

use ideavault_domain::notice::{Notice, NoticeKind, NotificationMode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::shares::ShareTypeView;
use super::time;

/// When mails about notices come.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = NotificationMode)]
pub enum NotificationModeView {
    /// Within 30 s.
    AtOnce,
    /// Once a day.
    Daily,
    /// Not at all.
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

/// What a notice tells of.
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
    /// Somebody was turned away.
    Refused,
    /// All views are used.
    UsedUp,
    /// One view is left.
    OneViewLeft,
    /// The link ends within a day.
    EndingSoon,
    /// The owner answered; owners are not told of it.
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
            NoticeKind::UsedUp => Self::UsedUp,
            NoticeKind::OneViewLeft => Self::OneViewLeft,
            NoticeKind::EndingSoon => Self::EndingSoon,
            NoticeKind::Answered => Self::Answered,
        }
    }
}

/// Something new on an own link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notice)]
pub struct NoticeView {
    id: i64,
    kind: NoticeKindView,
    /// When it happened last.
    #[schema(format = DateTime)]
    at: String,
    idea_id: i64,
    idea_title: String,
    share_id: Uuid,
    share_type: ShareTypeView,
    /// The name that the reader gave, where it is about one.
    #[schema(required)]
    recipient_name: Option<String>,
    /// How often it happened.
    count: i32,
    /// Whether the owner has seen it.
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
            recipient_name: notice.name.map(|name| name.to_string()),
            count: notice.count,
            read: notice.read,
        }
    }
}

/// How many notices the owner has not seen.
#[derive(Serialize, ToSchema)]
#[schema(as = UnreadNotices)]
pub struct UnreadView {
    /// How many.
    pub unread: i64,
}

/// Body of the call that marks notices as seen.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadNoticesBody {
    /// The time of the newest that was seen, RFC 3339.
    #[schema(format = DateTime)]
    pub up_to: String,
}

/// Body of the call that changes when mails come.
#[derive(Deserialize, ToSchema)]
pub struct NotificationSettingsBody {
    /// at-once, daily or never.
    #[schema(value_type = NotificationModeView)]
    pub mode: String,
}

/// When mails come.
#[derive(Serialize, ToSchema)]
#[schema(as = NotificationSettings)]
pub struct NotificationSettingsView {
    /// When.
    pub mode: NotificationModeView,
}

/// Body of the call that changes when mails about one link come.
#[derive(Deserialize, ToSchema)]
pub struct ShareNotificationsBody {
    /// at-once, daily or never; null as the account has it.
    #[schema(value_type = Option<NotificationModeView>)]
    pub mode: Option<String>,
}

/// When mails about one link come.
#[derive(Serialize, ToSchema)]
#[schema(as = ShareNotifications)]
pub struct ShareNotificationsView {
    /// When; null as the account has it.
    #[schema(required)]
    pub mode: Option<NotificationModeView>,
}
