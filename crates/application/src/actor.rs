//! The origin of a request: a signed-in browser that changes an account, or any caller.

use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::ids::{UserId, UserSessionId};
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_domain::token::Token;

/// A signed-in browser, as authenticated when its request arrived. The session may
/// end before the rest of the request has arrived, the password is compared, or the
/// write begins; a change must then not happen.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    /// The signed-in account.
    pub user: UserId,
    /// The session used.
    pub session: UserSessionId,
}

impl Actor {
    /// Returns the live sessions of the account, most recently used first; `None`
    /// when the actor's session is no longer among them and nothing may be changed.
    /// Locks the sessions until the end of the transaction.
    pub(crate) fn require_live_session(
        self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<Option<Vec<UserSession>>, DatabaseError> {
        let mut sessions = tx.user_sessions().lock_sessions_of(self.user)?;
        sessions.retain(|session| session.is_live(now));
        let is_live = sessions.iter().any(|session| session.id() == self.session);
        Ok(is_live.then_some(sessions))
    }
}

/// The caller: a creator, a recipient's browser, both (a creator who tries an own
/// link), or nobody.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// The signed-in creator.
    pub user: Option<UserId>,
    /// The key of the recipient's viewer session.
    pub viewer: Option<Token>,
}
