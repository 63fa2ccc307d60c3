//! JSON of recipients' activity.

use ideavault_domain::activity::{Activity, ActivityEvent};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::recipients::IdentityView;
use super::share_type::ShareTypeView;
use super::time;

/// The recipient.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityRecipient)]
pub struct ActivityRecipientView {
    id: Uuid,
    name: String,
    email: String,
    #[schema(required)]
    phone: Option<String>,
    /// Whether the recipient was erased: name and email are placeholders.
    erased: bool,
    /// How the recipient's identity is verified by now.
    identity: IdentityView,
    /// Time at which the address was confirmed, if it was.
    #[schema(required, format = DateTime)]
    email_confirmed_at: Option<String>,
}

/// Fields of all kinds of activity.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityBase)]
pub struct ActivityBaseView {
    id: String,
    #[schema(format = DateTime)]
    at: String,
    share_id: Uuid,
    share_type: ShareTypeView,
    /// Name of the link, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_name: Option<String>,
    recipient: ActivityRecipientView,
}

/// An action of a recipient.
#[derive(Serialize, ToSchema)]
#[serde(
    tag = "type",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
#[schema(as = Activity)]
pub enum ActivityView {
    /// Registered.
    Registered {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
    /// Accepted the agreement.
    #[serde(rename_all = "camelCase")]
    Agreed {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
        /// Version of the agreement's wording.
        nda_version: String,
        /// SHA-256 of the accepted text, in hex; null once it was erased.
        #[schema(required)]
        nda_sha256: Option<String>,
        /// Number of the idea's revision at that time.
        revision: i32,
        /// SHA-256 of that revision, in hex.
        revision_sha256: String,
        /// How the recipient's identity was verified at that time.
        identity: IdentityView,
        /// Time at which the address had been confirmed, if it had.
        #[schema(required, format = DateTime)]
        email_confirmed_at: Option<String>,
        /// Client address; null once the recipient was erased.
        #[schema(required)]
        ip: Option<String>,
        /// User agent of the browser.
        #[schema(required)]
        user_agent: Option<String>,
    },
    /// Opened the content.
    #[serde(rename_all = "camelCase")]
    Viewed {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
        /// Number of the revision that was shown first.
        revision: i32,
        /// SHA-256 of that revision, in hex.
        revision_sha256: String,
        /// End of the view, with the link at the latest; reloads until then are not counted.
        /// Null where nothing ends.
        #[schema(required, format = DateTime)]
        ends_at: Option<String>,
    },
    /// Declined the agreement.
    Declined {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
        /// Why, if the recipient said so; null once they were erased.
        #[schema(required)]
        reason: Option<String>,
    },
    /// Closed the document after it was shown.
    Closed {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
    /// Downloaded the document.
    Downloaded {
        /// Facts that all actions have: recipient, link and time.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
}

impl From<Activity> for ActivityView {
    fn from(activity: Activity) -> Self {
        let kind = match &activity.event {
            ActivityEvent::Registered => "registered",
            ActivityEvent::Agreed { .. } => "agreed",
            ActivityEvent::Viewed { .. } => "viewed",
            ActivityEvent::Closed => "closed",
            ActivityEvent::Downloaded => "downloaded",
            ActivityEvent::Declined { .. } => "declined",
        };
        let base = ActivityBaseView {
            id: format!(
                "{}-{kind}-{}",
                activity.recipient,
                activity.at.timestamp_micros()
            ),
            at: time(activity.at),
            share_id: activity.share.as_uuid(),
            share_type: activity.share_type.into(),
            share_name: activity.share_name.map(|name| name.to_string()),
            recipient: ActivityRecipientView {
                id: activity.recipient.as_uuid(),
                name: activity.name.to_string(),
                email: activity.email.to_string(),
                phone: activity.phone.map(|phone| phone.to_string()),
                erased: activity.erased,
                identity: activity.identity.into(),
                email_confirmed_at: activity.identity.confirmed_at().map(time),
            },
        };
        match activity.event {
            ActivityEvent::Registered => Self::Registered { base },
            ActivityEvent::Agreed {
                nda_version,
                nda_sha256,
                revision,
                revision_sha256,
                identity,
                origin,
            } => Self::Agreed {
                base,
                nda_version: nda_version.to_string(),
                nda_sha256: nda_sha256.map(|digest| digest.to_string()),
                revision,
                revision_sha256: revision_sha256.to_string(),
                identity: identity.into(),
                email_confirmed_at: identity.confirmed_at().map(time),
                ip: origin.as_ref().map(|origin| origin.ip.to_string()),
                user_agent: origin.and_then(|origin| origin.user_agent),
            },
            ActivityEvent::Viewed {
                revision,
                revision_sha256,
                ends_at,
            } => Self::Viewed {
                base,
                revision,
                revision_sha256: revision_sha256.to_string(),
                ends_at: ends_at.map(time),
            },
            ActivityEvent::Closed => Self::Closed { base },
            ActivityEvent::Downloaded => Self::Downloaded { base },
            ActivityEvent::Declined { reason } => Self::Declined {
                base,
                reason: reason.map(|reason| reason.to_string()),
            },
        }
    }
}
