//! Share links: four types, each with its limits (`docs/rules.md#share-types`).

use chrono::{Datelike as _, Duration};

use crate::Timestamp;
use crate::email::Email;
use crate::failure::Invalid;
use crate::ids::{IdeaId, ShareId};
use crate::recipient::Identity;
use crate::text::ShareName;
use crate::token::TokenHash;

/// Validity of a time-dependent link created without an end.
pub const DEFAULT_EXPIRY: Duration = Duration::days(7);

/// The type of a link (`docs/rules.md#share-types`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareType {
    /// For a number of readers, one view each.
    OneTime,
    /// Until a date, with an optional limit of views.
    TimeDependent,
    /// Until revoked.
    FullAccess,
    /// Until revoked, for one address only.
    Email,
}

impl ShareType {
    const ALL: [Self; 4] = [
        Self::OneTime,
        Self::TimeDependent,
        Self::FullAccess,
        Self::Email,
    ];

    /// Returns the name used in the API and the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneTime => "one-time",
            Self::TimeDependent => "time-dependent",
            Self::FullAccess => "full-access",
            Self::Email => "email",
        }
    }

    /// Returns the type with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A creator's unvalidated request for a link; see [`ShareTerms::parse`].
#[derive(Clone, Debug, Default)]
pub struct ShareRequest {
    /// Name of one of the four types.
    pub share_type: String,
    /// End of validity, RFC 3339.
    pub expires_at: Option<String>,
    /// Limit of views in total.
    pub max_views: Option<i64>,
    /// The only address that may register.
    pub recipient_email: Option<String>,
    /// Whether readers may download the document; allowed by default.
    pub allow_download: Option<bool>,
    /// Name for the owner's own list.
    pub name: Option<String>,
    /// Whether its readers see those of other links.
    pub shows_other_readers: bool,
}

/// The validated limits of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareTerms {
    /// Type of the link.
    pub share_type: ShareType,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Most views in total; `None` means no limit.
    pub max_views: Option<i32>,
    /// The only address that may register.
    pub recipient_email: Option<Email>,
}

impl ShareTerms {
    /// Returns when a view with a grant until `grant_ends_at` ends for its reader:
    /// with the grant or with the link, whichever is first. `None` for a link without
    /// an end or a limit of views, which grants another view at once.
    #[must_use]
    pub fn view_end(&self, grant_ends_at: Timestamp) -> Option<Timestamp> {
        match (self.expires_at, self.max_views) {
            (None, None) => None,
            (None, Some(_)) => Some(grant_ends_at),
            (Some(end), _) => Some(end.min(grant_ends_at)),
        }
    }

    /// Validates a request at `now` and fills in the defaults. A limit that the type
    /// does not support is refused, because dropping it would leave the creator
    /// believing in a protection that does not exist.
    ///
    /// # Errors
    /// [`Invalid`] on the first invalid field.
    pub fn parse(request: &ShareRequest, now: Timestamp) -> Result<Self, Invalid> {
        let share_type = ShareType::from_name(&request.share_type).ok_or_else(|| {
            Invalid::new(
                "shareType",
                "Share type must be one-time, time-dependent, full-access or email",
            )
        })?;
        let expires_at = match (share_type, given(request.expires_at.as_deref())) {
            (ShareType::TimeDependent, Some(text)) => Some(parse_expiry(text, now)?),
            (ShareType::TimeDependent, None) => Some(now + DEFAULT_EXPIRY),
            (_, None) => None,
            (_, Some(_)) => {
                return Err(Invalid::new(
                    "expiresAt",
                    "Only a time-dependent link can have an expiration date",
                ));
            }
        };
        let max_views = match (share_type, request.max_views) {
            (ShareType::OneTime | ShareType::TimeDependent, Some(count)) => {
                Some(parse_views(count)?)
            }
            (ShareType::OneTime, None) => Some(1),
            (_, None) => None,
            (_, Some(_)) => {
                return Err(Invalid::new(
                    "maxViews",
                    "Only a one-time or time-dependent link can have a maximum of views",
                ));
            }
        };
        let recipient_email = match (share_type, given(request.recipient_email.as_deref())) {
            (ShareType::Email, Some(text)) => {
                Some(Email::parse(text).map_err(|invalid| invalid.at("recipientEmail"))?)
            }
            (ShareType::Email, None) => {
                return Err(Invalid::new(
                    "recipientEmail",
                    "Please enter the recipient's email address",
                ));
            }
            (_, None) => None,
            (_, Some(_)) => {
                return Err(Invalid::new(
                    "recipientEmail",
                    "Only a link shared by email can have a recipient email",
                ));
            }
        };
        Ok(Self {
            share_type,
            expires_at,
            max_views,
            recipient_email,
        })
    }
}

/// Treats an empty form field as absent.
fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn parse_expiry(text: &str, now: Timestamp) -> Result<Timestamp, Invalid> {
    let end = chrono::DateTime::parse_from_rfc3339(text)
        .map_err(|_| {
            Invalid::new(
                "expiresAt",
                "Please enter the expiration date as a date and time with a time zone",
            )
        })?
        .to_utc();
    if end <= now {
        return Err(Invalid::new(
            "expiresAt",
            "Please choose an expiration date in the future",
        ));
    }
    // Both databases store and compare microseconds, no leap seconds, and four-digit
    // years alike.
    chrono::DateTime::from_timestamp_micros(end.timestamp_micros())
        .filter(|end| end.year() <= 9999)
        .ok_or_else(|| Invalid::new("expiresAt", "Please choose an earlier expiration date"))
}

fn parse_views(count: i64) -> Result<i32, Invalid> {
    i32::try_from(count)
        .ok()
        .filter(|count| *count >= 1)
        .ok_or_else(|| {
            Invalid::new(
                "maxViews",
                format!(
                    "Maximum views must be a whole number from 1 to {}",
                    i32::MAX
                ),
            )
        })
}

/// A share link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Unique id.
    pub id: ShareId,
    /// The disclosed idea.
    pub idea: IdeaId,
    /// The owner's name for it.
    pub name: Option<ShareName>,
    /// Type and limits.
    pub terms: ShareTerms,
    /// Hash of the token in the link.
    pub token_hash: TokenHash,
    /// Views granted so far.
    pub view_count: i32,
    /// Whether its readers and those of the idea's other links with this setting see
    /// each other's names and comments.
    pub shows_other_readers: bool,
    /// Whether its readers may download the document.
    pub allow_download: bool,
    /// When its creator revoked it.
    pub revoked_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareState {
    /// New recipients can register.
    Active,
    /// All views are granted; active views may finish.
    Exhausted,
    /// Expired, for everybody.
    Expired,
    /// Revoked by its creator, for everybody.
    Revoked,
}

impl ShareState {
    /// Returns the name used in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Exhausted => "exhausted",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

impl Share {
    /// Returns when a view with a grant until `grant_ends_at` ends for its reader; see
    /// [`ShareTerms::view_end`].
    #[must_use]
    pub fn view_end(&self, grant_ends_at: Timestamp) -> Option<Timestamp> {
        self.terms.view_end(grant_ends_at)
    }

    /// Returns the state at `now`.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> ShareState {
        if self.revoked_at.is_some() {
            ShareState::Revoked
        } else if self.terms.expires_at.is_some_and(|end| now >= end) {
            ShareState::Expired
        } else if self
            .terms
            .max_views
            .is_some_and(|max| self.view_count >= max)
        {
            ShareState::Exhausted
        } else {
            ShareState::Active
        }
    }

    /// Returns when it stopped accepting new recipients, if it has by `now`;
    /// `last_view_at` is when it granted its last view.
    #[must_use]
    pub fn ended_at(&self, now: Timestamp, last_view_at: Option<Timestamp>) -> Option<Timestamp> {
        match self.state(now) {
            ShareState::Active => None,
            ShareState::Exhausted => last_view_at,
            ShareState::Expired => self.terms.expires_at,
            ShareState::Revoked => self.revoked_at,
        }
    }

    /// Returns whether a recipient with that identity may go on: an email link requires a
    /// confirmed address, the others accept self-declared details.
    #[must_use]
    pub fn accepts(&self, identity: Identity) -> bool {
        self.terms.share_type != ShareType::Email || identity != Identity::SelfDeclared
    }

    /// Returns whether that address may register on it.
    #[must_use]
    pub fn admits(&self, email: &Email) -> bool {
        match &self.terms.recipient_email {
            Some(expected) => expected == email,
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn now() -> Timestamp {
        DateTime::from_timestamp(1_000_000, 0).unwrap()
    }

    fn request(share_type: &str) -> ShareRequest {
        ShareRequest {
            share_type: share_type.into(),
            ..ShareRequest::default()
        }
    }

    fn refused_field(request: &ShareRequest) -> &'static str {
        ShareTerms::parse(request, now()).unwrap_err().field
    }

    #[test]
    fn a_one_time_link_gives_one_view_by_default() {
        let terms = ShareTerms::parse(&request("one-time"), now()).unwrap();
        assert_eq!(terms.max_views, Some(1));
        assert_eq!(terms.expires_at, None);
    }

    #[test]
    fn a_time_dependent_link_lasts_a_week_by_default() {
        let terms = ShareTerms::parse(&request("time-dependent"), now()).unwrap();
        assert_eq!(terms.expires_at, Some(now() + Duration::days(7)));
        assert_eq!(terms.max_views, None);
    }

    #[test]
    fn a_past_or_malformed_expiry_is_refused() {
        for text in [
            "1970-01-01T00:00:00Z",
            "1970-01-12T13:46:40Z",
            "tomorrow",
            "2030-01-01T10:00",
            "9999-12-31T23:59:59-23:00",
        ] {
            let request = ShareRequest {
                expires_at: Some(text.into()),
                ..request("time-dependent")
            };
            assert_eq!(refused_field(&request), "expiresAt", "{text}");
        }
    }

    #[test]
    fn an_expiry_is_truncated_to_microseconds() {
        let request = ShareRequest {
            expires_at: Some("2030-01-01T12:00:00.123456789+02:00".into()),
            ..request("time-dependent")
        };
        let end = ShareTerms::parse(&request, now())
            .unwrap()
            .expires_at
            .unwrap();
        assert_eq!(end.to_rfc3339(), "2030-01-01T10:00:00.123456+00:00");
    }

    #[test]
    fn an_expiry_must_be_storable_in_both_databases() {
        let ending = |text: &str| {
            let request = ShareRequest {
                expires_at: Some(text.into()),
                ..request("time-dependent")
            };
            ShareTerms::parse(&request, now())
        };
        let leap = ending("2030-12-31T23:59:60Z").unwrap().expires_at.unwrap();
        assert_eq!(leap.to_rfc3339(), "2031-01-01T00:00:00+00:00");
        assert!(ending("9999-12-31T23:59:59.999999999Z").is_ok());
        let refused = ending("9999-12-31T23:59:59-10:00").unwrap_err();
        assert_eq!(refused.field, "expiresAt");
    }

    #[test]
    fn a_view_ends_with_its_time_or_its_link_if_either_ends() {
        let granted_until = now() + Duration::minutes(30);
        let end_of = |expires_at, max_views| {
            let mut share = crate::gate::tests::share(ShareType::TimeDependent, max_views, 1);
            share.terms.expires_at = expires_at;
            share.view_end(granted_until)
        };
        let (sooner, later) = (now() + Duration::minutes(2), now() + DEFAULT_EXPIRY);
        assert_eq!(end_of(Some(sooner), None), Some(sooner));
        assert_eq!(end_of(Some(later), None), Some(granted_until));
        assert_eq!(end_of(None, Some(1)), Some(granted_until));
        assert_eq!(end_of(None, None), None);
    }

    #[test]
    fn impossible_view_counts_are_refused() {
        for count in [0, -1, 1 << 31, i64::MAX] {
            let request = ShareRequest {
                max_views: Some(count),
                ..request("one-time")
            };
            assert_eq!(refused_field(&request), "maxViews", "{count}");
        }
    }

    #[test]
    fn an_email_link_needs_a_valid_address() {
        assert_eq!(refused_field(&request("email")), "recipientEmail");
        for text in ["", "nobody"] {
            let request = ShareRequest {
                recipient_email: Some(text.into()),
                ..request("email")
            };
            assert_eq!(refused_field(&request), "recipientEmail");
        }
    }

    #[test]
    fn a_limit_of_another_link_type_is_refused() {
        let limited = ShareRequest {
            max_views: Some(3),
            ..request("full-access")
        };
        assert_eq!(refused_field(&limited), "maxViews");
        let addressed = ShareRequest {
            recipient_email: Some("ada@example.org".into()),
            ..request("one-time")
        };
        assert_eq!(refused_field(&addressed), "recipientEmail");
        let timed = ShareRequest {
            expires_at: Some("2030-01-01T00:00:00Z".into()),
            ..request("one-time")
        };
        assert_eq!(refused_field(&timed), "expiresAt");
    }

    #[test]
    fn an_unknown_type_is_refused() {
        assert_eq!(refused_field(&request("forever")), "shareType");
    }
}
