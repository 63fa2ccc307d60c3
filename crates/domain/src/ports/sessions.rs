//! Signed-in browsers.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::account::{SessionEpoch, UserSession};
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Sessions of creators.
pub trait UserSessions {
    /// The session with that key, dead or alive.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn user_session(&mut self, key: &TokenHash) -> Result<Option<UserSession>>;

    /// The sessions of an account, dead or alive, last seen first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn user_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;

    /// The same, for whoever goes on only if a certain one is among them: until
    /// the end of the transaction nobody else locks them, begins one or ends all.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn lock_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;

    /// Adds the session of somebody who was let in during that epoch. Answers
    /// `false`, and adds nothing, when all sessions of `user` were ended since.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn begin_user_session(
        &mut self,
        session: &UserSession,
        user: UserId,
        epoch: SessionEpoch,
    ) -> Result<bool>;

    /// Adds a session, or replaces the state of one that exists; the time of
    /// its beginning stays.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn put_user_session(&mut self, session: &UserSession) -> Result<()>;

    /// Moves the time of the last request.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn touch_user_session(&mut self, key: &TokenHash, at: Timestamp) -> Result<()>;

    /// Ends a session; one that is gone already is fine.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn remove_user_session(&mut self, key: &TokenHash) -> Result<()>;

    /// Removes what was last seen before `idle_since` or began before `created_before`.
    /// Answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_user_sessions(
        &mut self,
        idle_since: Timestamp,
        created_before: Timestamp,
    ) -> Result<usize>;
}
