//! Login sessions of creators.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::account::{SessionEpoch, UserSession};
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Login sessions.
pub trait UserSessions {
    /// Returns the session with that key, expired or not.
    fn user_session(&mut self, key: &TokenHash) -> Result<Option<UserSession>>;

    /// Returns the account's sessions, expired or not, most recently used first.
    fn user_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;

    /// Returns the same and locks them: until the end of the transaction no other
    /// transaction can lock them, add one or end all. For callers that continue only
    /// if a certain session is among them.
    fn lock_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;

    /// Adds a session for a login that was accepted during that epoch. Returns
    /// `false` and adds nothing when all sessions of `user` were ended since.
    fn begin_user_session(
        &mut self,
        session: &UserSession,
        user: UserId,
        epoch: SessionEpoch,
    ) -> Result<bool>;

    /// Adds a session, or replaces the state of an existing one; its creation time
    /// stays.
    fn upsert_user_session(&mut self, session: &UserSession) -> Result<()>;

    /// Updates the time of the last request.
    fn touch_user_session(&mut self, key: &TokenHash, at: Timestamp) -> Result<()>;

    /// Ends a session; a missing one is not an error.
    fn remove_user_session(&mut self, key: &TokenHash) -> Result<()>;

    /// Deletes sessions last used before `idle_since` or created before
    /// `created_before`, and returns how many.
    fn delete_expired_user_sessions(
        &mut self,
        idle_since: Timestamp,
        created_before: Timestamp,
    ) -> Result<usize>;
}
