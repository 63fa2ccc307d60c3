//! Sessions on the wire.

use ideavault_domain::account::UserSession;
use ideavault_domain::browser::browser_name;
use ideavault_domain::ids::UserSessionId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::time;
use crate::http::sessions::SignedInFrom;

/// A browser that the caller is signed in with.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Names it here; it is no credential.
    pub id: Uuid,
    /// When it signed in.
    pub created_at: String,
    /// When it was last seen, to about five minutes.
    pub last_seen_at: String,
    /// The address that it signed in from.
    #[schema(required)]
    pub ip: Option<String>,
    /// What the browser is, in words of its owner, as in mails: 'Firefox on Linux'.
    pub browser: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

impl SessionView {
    /// As whoever has the session `current` sees it.
    #[must_use]
    pub fn of(session: &UserSession, current: UserSessionId) -> Self {
        let from = SignedInFrom::of(session);
        Self {
            id: session.id().as_uuid(),
            created_at: time(session.created_at),
            last_seen_at: time(session.last_seen_at),
            ip: from.as_ref().map(|from| from.ip.to_string()),
            browser: browser_name(from.and_then(|from| from.user_agent).as_deref()),
            current: session.id() == current,
        }
    }
}
