//! Share links: four types, each with its limits (`docs/rules.md#share-types`).

mod invitation;
mod settings;

use chrono::{Datelike as _, Duration};

pub use self::invitation::Invitation;
pub use self::settings::{ShareSettings, ShareSettingsChange, ShareSettingsRequest};
use crate::Timestamp;
use crate::email::Email;
use crate::failure::Invalid;
use crate::ids::{IdeaId, ShareId};
use crate::recipient::Identity;
use crate::text::{ShareName, Title};
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
    /// Name for the owner's own list.
    pub name: Option<String>,
    /// A personal line in the invitation.
    pub message: Option<String>,
    /// Whether answers to the invitation go to the owner.
    pub reply_to_me: bool,
    /// The settings that differ from the defaults.
    pub settings: ShareSettingsRequest,
}

/// The validated limits of a link, by its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShareTerms {
    /// For a number of readers, one view each.
    OneTime {
        /// Most views in total, at least 1.
        max_views: i32,
    },
    /// Until a date.
    TimeDependent {
        /// When it expires.
        expires_at: Timestamp,
        /// Most views in total; `None` means no limit.
        max_views: Option<i32>,
    },
    /// Until revoked.
    FullAccess,
    /// Until revoked, for one address only.
    Email {
        /// The only address that may register.
        recipient: Email,
    },
}

impl ShareTerms {
    /// Puts stored terms together again. Returns `None` unless the limits are exactly those
    /// that the type has.
    #[must_use]
    pub fn from_stored(
        share_type: ShareType,
        expires_at: Option<Timestamp>,
        max_views: Option<i32>,
        recipient: Option<Email>,
    ) -> Option<Self> {
        match (share_type, expires_at, max_views, recipient) {
            (ShareType::OneTime, None, Some(max_views), None) => Some(Self::OneTime { max_views }),
            (ShareType::TimeDependent, Some(expires_at), max_views, None) => {
                Some(Self::TimeDependent {
                    expires_at,
                    max_views,
                })
            }
            (ShareType::FullAccess, None, None, None) => Some(Self::FullAccess),
            (ShareType::Email, None, None, Some(recipient)) => Some(Self::Email { recipient }),
            _ => None,
        }
    }

    /// Returns the type.
    #[must_use]
    pub fn share_type(&self) -> ShareType {
        match self {
            Self::OneTime { .. } => ShareType::OneTime,
            Self::TimeDependent { .. } => ShareType::TimeDependent,
            Self::FullAccess => ShareType::FullAccess,
            Self::Email { .. } => ShareType::Email,
        }
    }

    /// Returns when it expires, if it does.
    #[must_use]
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::TimeDependent { expires_at, .. } => Some(*expires_at),
            _ => None,
        }
    }

    /// Returns the most views in total, if there is a limit.
    #[must_use]
    pub fn max_views(&self) -> Option<i32> {
        match self {
            Self::OneTime { max_views } => Some(*max_views),
            Self::TimeDependent { max_views, .. } => *max_views,
            _ => None,
        }
    }

    /// Returns the only address that may register, if there is one.
    #[must_use]
    pub fn recipient_email(&self) -> Option<&Email> {
        match self {
            Self::Email { recipient } => Some(recipient),
            _ => None,
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
                "The type of a link must be one-time, time-dependent, full-access or email",
            )
        })?;
        let expires_at = given(request.expires_at.as_deref());
        if expires_at.is_some() && share_type != ShareType::TimeDependent {
            return Err(Invalid::new(
                "expiresAt",
                "Only a time-dependent link can have an expiration date",
            ));
        }
        let max_views = request.max_views;
        let counts_views = matches!(share_type, ShareType::OneTime | ShareType::TimeDependent);
        if max_views.is_some() && !counts_views {
            return Err(Invalid::new(
                "maxViews",
                "Only a one-time or time-dependent link can have a maximum of views",
            ));
        }
        let recipient_email = given(request.recipient_email.as_deref());
        if recipient_email.is_some() && share_type != ShareType::Email {
            return Err(Invalid::new(
                "recipientEmail",
                "Only a link shared by email can be for one address",
            ));
        }
        match share_type {
            ShareType::OneTime => Ok(Self::OneTime {
                max_views: max_views.map_or(Ok(1), parse_views)?,
            }),
            ShareType::TimeDependent => Ok(Self::TimeDependent {
                expires_at: expires_at
                    .map_or(Ok(now + DEFAULT_EXPIRY), |text| parse_expiry(text, now))?,
                max_views: max_views.map(parse_views).transpose()?,
            }),
            ShareType::FullAccess => Ok(Self::FullAccess),
            ShareType::Email => {
                let address = recipient_email.ok_or_else(|| {
                    Invalid::new("recipientEmail", "Please enter the reader's email address")
                })?;
                let recipient = Email::parse(address);
                let recipient = recipient.map_err(|invalid| invalid.at("recipientEmail"))?;
                Ok(Self::Email { recipient })
            }
        }
    }
}

/// Returns when a view with a grant until `grant_ends_at` ends for its reader: with the grant
/// or with the link, whichever is first. `None` for a link without an end or a limit of views,
/// which grants another view at once.
#[must_use]
pub fn view_end(
    expires_at: Option<Timestamp>,
    max_views: Option<i32>,
    grant_ends_at: Timestamp,
) -> Option<Timestamp> {
    match (expires_at, max_views) {
        (None, None) => None,
        (None, Some(_)) => Some(grant_ends_at),
        (Some(end), _) => Some(end.min(grant_ends_at)),
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
    /// What its owner decided about its readers.
    pub settings: ShareSettings,
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
    /// Returns the title that readers see until they have accepted the agreement, of an idea with
    /// that `title`.
    #[must_use]
    pub fn title_before_agreement<'t>(&'t self, title: &'t Title) -> &'t Title {
        self.settings.cover_title.as_ref().unwrap_or(title)
    }

    /// Returns when a view with a grant until `grant_ends_at` ends for its reader; see
    /// [`view_end`].
    #[must_use]
    pub fn view_end(&self, grant_ends_at: Timestamp) -> Option<Timestamp> {
        view_end(
            self.terms.expires_at(),
            self.terms.max_views(),
            grant_ends_at,
        )
    }

    /// Returns the state at `now`.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> ShareState {
        if self.revoked_at.is_some() {
            ShareState::Revoked
        } else if self.terms.expires_at().is_some_and(|end| now >= end) {
            ShareState::Expired
        } else if self
            .terms
            .max_views()
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
            ShareState::Expired => self.terms.expires_at(),
            ShareState::Revoked => self.revoked_at,
        }
    }

    /// Returns whether a recipient with that identity may go on: an email link requires a
    /// confirmed address, the others accept self-declared details.
    #[must_use]
    pub fn accepts(&self, identity: Identity) -> bool {
        self.terms.share_type() != ShareType::Email || identity != Identity::SelfDeclared
    }

    /// Returns whether that address may register on it.
    #[must_use]
    pub fn admits(&self, email: &Email) -> bool {
        match &self.terms {
            ShareTerms::Email { recipient } => recipient == email,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests;
