//! Notices: what happens on a link, told to its owner (and an answer to a comment,
//! told to the reader who made it), on the page and by mail.
//!
//! Invariant: a notice holds no content. It says what happened, on which link, and
//! about whom; names and titles stay where they are stored encrypted.

use chrono::{Days, Duration, NaiveTime};

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::{IdeaId, RecipientId, ShareId, UserId};
use crate::share::ShareType;
use crate::text::{PersonName, Title};

/// How long the mailer waits for more to happen on a link before it writes: a mail
/// 'at once' arrives within 30 s, and tells of all that happened until it left.
pub const GROUPING_WINDOW: Duration = Duration::seconds(25);
/// Most mails about notices that an account is sent in an hour; what is more waits,
/// and comes in fewer mails.
pub const MAILS_PER_HOUR: i64 = 20;
/// How long a mail that has to wait for that is left alone.
pub const CAPPED_RETRY: Duration = Duration::minutes(5);
/// Most notices of one kind that a link adds within [`FOLD_WINDOW`]; what is more is
/// counted in one notice that names nobody.
pub const NOTICES_PER_LINK: i64 = 20;
/// See [`NOTICES_PER_LINK`].
pub const FOLD_WINDOW: Duration = Duration::hours(1);
/// How long before its end an owner is told that a link ends.
pub const ENDING_SOON: Duration = Duration::hours(24);
/// How long notices, and the links in mails that stop them, are kept.
pub const NOTICE_LIFETIME: Duration = Duration::days(90);
/// Most mails about answers that the readers of one account's links are sent in a day.
pub const READER_MAILS_PER_DAY: i64 = 50;
/// The hour of the daily mails, UTC.
const DIGEST_HOUR: u32 = 7;

/// When somebody is told by mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotificationMode {
    /// Within 30 s.
    #[default]
    AtOnce,
    /// Once a day, all links in one mail.
    Daily,
    /// Not by mail.
    Never,
}

impl NotificationMode {
    const ALL: [Self; 3] = [Self::AtOnce, Self::Daily, Self::Never];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Daily => "daily",
            Self::Never => "never",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }

    /// The mode that `text`, the value of `field`, names.
    ///
    /// # Errors
    /// [`Invalid`] on `field`.
    pub fn parse(field: &'static str, text: &str) -> Result<Self, Invalid> {
        Self::from_name(text)
            .ok_or_else(|| Invalid::new(field, "Mails come at-once, daily or never"))
    }
}

/// What a notice tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// A reader accepted the agreement.
    Agreed,
    /// A reader was shown the content for the first time.
    FirstRead,
    /// A reader commented.
    Commented,
    /// A reader declined the agreement.
    Declined,
    /// Somebody gave an address that the link is not for, used up the tries of a
    /// code, or came back to a link that has ended.
    Refused,
    /// The last view was given.
    UsedUp,
    /// One view of several is left.
    OneViewLeft,
    /// The link ends within [`ENDING_SOON`].
    EndingSoon,
    /// The owner answered a reader's comment; this one is for the reader.
    Answered,
}

impl NoticeKind {
    const ALL: [Self; 9] = [
        Self::Agreed,
        Self::FirstRead,
        Self::Commented,
        Self::Declined,
        Self::Refused,
        Self::UsedUp,
        Self::OneViewLeft,
        Self::EndingSoon,
        Self::Answered,
    ];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::FirstRead => "first-read",
            Self::Commented => "commented",
            Self::Declined => "declined",
            Self::Refused => "refused",
            Self::UsedUp => "used-up",
            Self::OneViewLeft => "one-view-left",
            Self::EndingSoon => "ending-soon",
            Self::Answered => "answered",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether a link has at most one notice of this kind.
    #[must_use]
    pub fn happens_once(self) -> bool {
        matches!(self, Self::UsedUp | Self::OneViewLeft | Self::EndingSoon)
    }

    /// Whether one that was told of already still counts what follows within
    /// [`FOLD_WINDOW`]: whoever reloads a page that refuses does not mean more by it.
    #[must_use]
    pub fn repeats_mean_nothing(self) -> bool {
        self == Self::Refused
    }

    /// Whether it is for a reader, not for the owner.
    #[must_use]
    pub fn is_for_reader(self) -> bool {
        self == Self::Answered
    }
}

/// A notice to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewNotice {
    /// What happened.
    pub kind: NoticeKind,
    /// On which link.
    pub share: ShareId,
    /// Whom it is about; for [`NoticeKind::Answered`], whom it is for.
    pub recipient: Option<RecipientId>,
    /// When.
    pub at: Timestamp,
}

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number in the store.
    pub seq: i64,
    /// What happened.
    pub kind: NoticeKind,
    /// On which idea.
    pub idea: IdeaId,
    /// Its title as it is now.
    pub title: Title,
    /// On which link.
    pub share: ShareId,
    /// What kind of link that is.
    pub share_type: ShareType,
    /// Whom it is about.
    pub recipient: Option<RecipientId>,
    /// The name that they gave.
    pub name: Option<PersonName>,
    /// How often it happened.
    pub count: i32,
    /// When it happened first.
    pub first_at: Timestamp,
    /// When it happened last.
    pub last_at: Timestamp,
    /// Whether the owner has seen it on the page.
    pub read: bool,
}

/// A notice that the mailer has to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// Its number in the store.
    pub seq: i64,
    /// Whose link it is about.
    pub account: UserId,
    /// The link.
    pub share: ShareId,
    /// The reader whom it is for, unless it is for the owner.
    pub reader: Option<RecipientId>,
    /// When it happened first.
    pub first_at: Timestamp,
}

/// Whose mails a link in one of them stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscriber {
    /// The owner of an account.
    Account(UserId),
    /// A reader who commented.
    Reader(RecipientId),
}

/// The last time at or before `now` at which daily mails were due.
#[must_use]
pub fn last_digest(now: Timestamp) -> Timestamp {
    let hour = NaiveTime::from_hms_opt(DIGEST_HOUR, 0, 0).unwrap_or_default();
    let today = now.date_naive().and_time(hour).and_utc();
    if today <= now {
        today
    } else {
        today - Days::new(1)
    }
}

/// The first time after `now` at which daily mails are due.
#[must_use]
pub fn next_digest(now: Timestamp) -> Timestamp {
    last_digest(now) + Days::new(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn daily_mails_are_due_at_seven() {
        for (now, last, next) in [
            ("2026-11-22T06:59:59Z", "2026-11-21", "2026-11-22"),
            ("2026-11-22T07:00:00Z", "2026-11-22", "2026-11-23"),
            ("2026-12-31T23:00:00Z", "2026-12-31", "2027-01-01"),
        ] {
            assert_eq!(last_digest(time(now)), time(&format!("{last}T07:00:00Z")));
            assert_eq!(next_digest(time(now)), time(&format!("{next}T07:00:00Z")));
        }
    }

    #[test]
    fn names_read_back() {
        for kind in NoticeKind::ALL {
            assert_eq!(NoticeKind::from_name(kind.as_str()), Some(kind));
        }
        for mode in NotificationMode::ALL {
            assert_eq!(NotificationMode::parse("mode", mode.as_str()), Ok(mode));
        }
        let refused = NotificationMode::parse("mode", "weekly").unwrap_err();
        assert_eq!(refused.field, "mode");
    }
}
