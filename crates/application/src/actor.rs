//! Who changes an account.

use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::ids::{UserId, UserSessionId};
use ideavault_domain::ports::{DatabaseError, Transaction};

/// A signed-in browser, as it was when its request came in. That is over before
/// the rest of the request is here, the password is compared, or it is the
/// request's turn to write; whoever ends the session meanwhile wants none of it.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    /// Whose account it is.
    pub user: UserId,
    /// The session.
    pub session: UserSessionId,
}

impl Actor {
    /// The live sessions of the account, last seen first; none when the actor's
    /// is not among them any more, so that nothing may be changed. Until the end
    /// of the transaction nobody else ends it for what they change.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub(crate) fn require_live_session(
        self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<Option<Vec<UserSession>>, DatabaseError> {
        let mut held = tx.user_sessions().lock_sessions_of(self.user)?;
        held.retain(|found| found.is_live(now));
        let counts = held.iter().any(|found| found.id() == self.session);
        Ok(counts.then_some(held))
    }
}
