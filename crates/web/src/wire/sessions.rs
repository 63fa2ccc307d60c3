//! JSON of sessions.

use ideavault_domain::account::UserSession;
use ideavault_domain::browser::browser_name;
use ideavault_domain::ids::UserSessionId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::time;
use crate::http::sessions::SignedInFrom;

/// A session of the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Id of the session; not a credential.
    pub id: Uuid,
    /// Time of the login.
    pub created_at: String,
    /// Time of the last request, to about five minutes.
    pub last_seen_at: String,
    /// Client address at the login.
    #[schema(required)]
    pub ip: Option<String>,
    /// Browser and system in plain words, as in mails: 'Firefox on Linux'.
    pub browser: String,
    /// Whether it is the session of this request.
    pub current: bool,
}

impl SessionView {
    /// Builds the view for a caller with the session `current`.
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
