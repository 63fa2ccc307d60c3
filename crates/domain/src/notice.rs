//! Notices: events on a link, reported to its owner (and replies to comments,
//! reported to the reader) on the page and by mail.
//!
//! Invariant: a notice holds no content. It records the event, the link and the
//! recipient; names and titles stay where they are stored encrypted.

use chrono::{Days, Duration, NaiveTime};

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::{IdeaId, RecipientId, ShareId, UserId};
use crate::share::ShareType;
use crate::text::{PersonName, ShareName, Title};

/// How long the mailer waits to group further events on a link: a mail 'at once'
/// arrives within 30 s and includes everything that happened before it was sent.
pub const GROUPING_WINDOW: Duration = Duration::seconds(25);
/// Most notification mails per account and hour; further notices wait and are
/// combined into fewer mails.
pub const MAILS_PER_HOUR: i64 = 20;
/// Retry interval for a mail held back by that limit.
pub const CAPPED_RETRY: Duration = Duration::minutes(5);
/// Most notices of one kind that a link adds within [`FOLD_WINDOW`]; further ones are
/// only counted, in one notice without a name.
pub const NOTICES_PER_LINK: i64 = 20;
/// The period of [`NOTICES_PER_LINK`].
pub const FOLD_WINDOW: Duration = Duration::hours(1);
/// Longest time before a link expires at which its owner is notified.
pub const ENDING_SOON: Duration = Duration::hours(24);
/// The owner of a link that lives no longer than [`ENDING_SOON`] is notified when this part
/// of its life is left: one in four.
const ENDING_SOON_PART: i32 = 4;
/// Shortest life of a link whose owner is notified: a shorter one ends too soon for it.
const ENDING_SOON_MIN_LIFE: Duration = Duration::hours(1);
/// Time for which notices and unsubscribe tokens are kept.
pub const NOTICE_LIFETIME: Duration = Duration::days(90);
/// Most mails about replies per day to the readers of one account's links.
pub const READER_MAILS_PER_DAY: i64 = 50;
/// Hour of the daily mails, UTC.
const DIGEST_HOUR: u32 = 7;

/// How often somebody is notified by mail.
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

    /// Returns the name used in the API and the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Daily => "daily",
            Self::Never => "never",
        }
    }

    /// Returns the mode with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }

    /// Parses `text`, the value of `field`.
    ///
    /// # Errors
    /// [`Invalid`] on `field`.
    pub fn parse(field: &'static str, text: &str) -> Result<Self, Invalid> {
        Self::from_name(text)
            .ok_or_else(|| Invalid::new(field, "Mails come at-once, daily or never"))
    }
}

/// The event that a notice reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// A reader accepted the NDA.
    Agreed,
    /// A reader viewed the content for the first time.
    FirstRead,
    /// A reader commented.
    Commented,
    /// A reader declined the NDA.
    Declined,
    /// A reader who had accepted the NDA returned to a link that has ended.
    Refused,
    /// Somebody entered another address than that of the link.
    WrongAddress,
    /// Somebody used up the attempts of a code.
    WrongCode,
    /// The last view was granted.
    UsedUp,
    /// One view of several is left.
    OneViewLeft,
    /// The link expires soon ([`ending_soon_from`]).
    EndingSoon,
    /// The owner replied to a reader's comment; for the reader.
    Answered,
}

impl NoticeKind {
    const ALL: [Self; 11] = [
        Self::Agreed,
        Self::FirstRead,
        Self::Commented,
        Self::Declined,
        Self::Refused,
        Self::WrongAddress,
        Self::WrongCode,
        Self::UsedUp,
        Self::OneViewLeft,
        Self::EndingSoon,
        Self::Answered,
    ];

    /// Returns the name used in the API and the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::FirstRead => "first-read",
            Self::Commented => "commented",
            Self::Declined => "declined",
            Self::Refused => "refused",
            Self::WrongAddress => "wrong-address",
            Self::WrongCode => "wrong-code",
            Self::UsedUp => "used-up",
            Self::OneViewLeft => "one-view-left",
            Self::EndingSoon => "ending-soon",
            Self::Answered => "answered",
        }
    }

    /// Returns the kind with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns whether a link has at most one notice of this kind.
    #[must_use]
    pub fn happens_once(self) -> bool {
        matches!(self, Self::UsedUp | Self::OneViewLeft | Self::EndingSoon)
    }

    /// Returns whether an already mailed notice absorbs repetitions within
    /// [`FOLD_WINDOW`]: reloading a page that refuses is not a new event.
    #[must_use]
    pub fn repeats_mean_nothing(self) -> bool {
        matches!(self, Self::Refused | Self::WrongAddress | Self::WrongCode)
    }

    /// Returns whether it is for a reader instead of the owner.
    #[must_use]
    pub fn is_for_reader(self) -> bool {
        self == Self::Answered
    }
}

/// A notice to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewNotice {
    /// The event.
    pub kind: NoticeKind,
    /// The link concerned.
    pub share: ShareId,
    /// The recipient concerned; for [`NoticeKind::Answered`], the addressee.
    pub recipient: Option<RecipientId>,
    /// When it happened.
    pub at: Timestamp,
}

/// A stored notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Sequence number in the database.
    pub seq: i64,
    /// The event.
    pub kind: NoticeKind,
    /// The idea concerned.
    pub idea: IdeaId,
    /// The idea's current title.
    pub title: Title,
    /// The link concerned.
    pub share: ShareId,
    /// Type of the link.
    pub share_type: ShareType,
    /// The owner's name for the link.
    pub share_name: Option<ShareName>,
    /// The recipient concerned.
    pub recipient: Option<RecipientId>,
    /// The recipient's self-declared name.
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

/// A notice that is due for mailing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// Sequence number in the database.
    pub seq: i64,
    /// The owner of the link.
    pub account: UserId,
    /// The link concerned.
    pub share: ShareId,
    /// The reader it is for; `None` if it is for the owner.
    pub reader: Option<RecipientId>,
    /// When it happened first.
    pub first_at: Timestamp,
}

/// The receiver whose mails an unsubscribe link stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscriber {
    /// The owner of an account.
    Account(UserId),
    /// A reader who commented.
    Reader(RecipientId),
}

/// Returns the time at which the owner of a link is notified that it ends soon: the last
/// day of its life, the last quarter of a life of a day or less, or not at all in a life of
/// less than an hour.
#[must_use]
pub fn ending_soon_from(created_at: Timestamp, expires_at: Timestamp) -> Option<Timestamp> {
    let life = expires_at - created_at;
    if life < ENDING_SOON_MIN_LIFE {
        None
    } else if life > ENDING_SOON {
        Some(expires_at - ENDING_SOON)
    } else {
        Some(expires_at - life / ENDING_SOON_PART)
    }
}

/// Returns the last time at or before `now` when daily mails were due.
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

/// Returns the first time after `now` when daily mails are due.
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
    fn a_link_ends_soon_in_its_last_day_or_quarter() {
        let made = time("2026-11-22T00:00:00Z");
        let from = |minutes| {
            let told = ending_soon_from(made, made + Duration::minutes(minutes));
            told.map(|at| (at - made).num_minutes())
        };
        let hour = 60;
        assert_eq!(from(72 * hour), Some(48 * hour));
        assert_eq!(from(24 * hour + 1), Some(1));
        assert_eq!(from(24 * hour), Some(18 * hour));
        assert_eq!(from(2 * hour), Some(90));
        assert_eq!(from(hour), Some(45));
        assert_eq!(from(hour - 1), None);
    }

    #[test]
    fn names_round_trip() {
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
