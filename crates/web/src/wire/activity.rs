//! What recipients did, on the wire.

use ideavault_domain::activity::{Activity, ActivityEvent};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::recipients::IdentityView;
use super::shares::ShareTypeView;
use super::time;

/// Who did it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityRecipient)]
pub struct ActivityRecipientView {
    id: Uuid,
    name: String,
    email: String,
    #[schema(required)]
    phone: Option<String>,
    /// How far it is certain by now who that is.
    identity: IdentityView,
    /// When the address was confirmed, if it was.
    #[schema(required, format = DateTime)]
    email_confirmed_at: Option<String>,
}

/// What all kinds of activity tell.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityBase)]
pub struct ActivityBaseView {
    id: String,
    #[schema(format = DateTime)]
    at: String,
    share_id: Uuid,
    share_type: ShareTypeView,
    /// What the owner calls the link, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_name: Option<String>,
    recipient: ActivityRecipientView,
}

/// One thing that a recipient did.
#[derive(Serialize, ToSchema)]
#[serde(
    tag = "type",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
#[schema(as = Activity)]
pub enum ActivityView {
    /// Gave their details.
    Registered {
        /// Who, where, when.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
    /// Accepted the NDA.
    #[serde(rename_all = "camelCase")]
    Agreed {
        /// Who, where, when.
        #[serde(flatten)]
        base: ActivityBaseView,
        /// The wording's version.
        nda_version: String,
        /// SHA-256 of the text agreed to.
        nda_sha256: String,
        /// SHA-256 of the idea's revision at that time.
        revision_sha256: String,
        /// How far it was certain by then who agreed.
        identity: IdentityView,
        /// When the address had been confirmed, if it had.
        #[schema(required, format = DateTime)]
        email_confirmed_at: Option<String>,
        /// From which address.
        ip: String,
        /// With which browser.
        #[schema(required)]
        user_agent: Option<String>,
    },
    /// Was shown the content.
    #[serde(rename_all = "camelCase")]
    Viewed {
        /// Who, where, when.
        #[serde(flatten)]
        base: ActivityBaseView,
        /// SHA-256 of the revision that was shown first.
        revision_sha256: String,
        /// Until when reloads were free.
        #[schema(format = DateTime)]
        ends_at: String,
    },
    /// Declined the agreement.
    Declined {
        /// Who, where, when.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
    /// Closed the document, after it was shown.
    Closed {
        /// Who, where, when.
        #[serde(flatten)]
        base: ActivityBaseView,
    },
    /// Downloaded the document.
    Downloaded {
        /// Who, where, when.
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
            ActivityEvent::Declined => "declined",
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
                identity: activity.identity.into(),
                email_confirmed_at: activity.identity.confirmed_at().map(time),
            },
        };
        match activity.event {
            ActivityEvent::Registered => Self::Registered { base },
            ActivityEvent::Agreed {
                nda_version,
                nda_sha256,
                revision_sha256,
                identity,
                origin,
            } => Self::Agreed {
                base,
                nda_version,
                nda_sha256: nda_sha256.to_string(),
                revision_sha256: revision_sha256.to_string(),
                identity: identity.into(),
                email_confirmed_at: identity.confirmed_at().map(time),
                ip: origin.ip.to_string(),
                user_agent: origin.user_agent,
            },
            ActivityEvent::Viewed {
                revision_sha256,
                ends_at,
            } => Self::Viewed {
                base,
                revision_sha256: revision_sha256.to_string(),
                ends_at: time(ends_at),
            },
            ActivityEvent::Closed => Self::Closed { base },
            ActivityEvent::Downloaded => Self::Downloaded { base },
            ActivityEvent::Declined => Self::Declined { base },
        }
    }
}
