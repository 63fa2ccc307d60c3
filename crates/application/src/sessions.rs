//! Signed-in browsers, for the web's session layer.

use std::sync::Arc;

use ideavault_domain::account::{SESSION_IDLE, SESSION_LIFETIME, SessionEpoch, UserSession};
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{UserId, UserSessionId};
use ideavault_domain::ports::{Clock, Database, DatabaseError, PortError, Random};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::actor::Actor;
use crate::random;

/// Why a session could not be kept, or ended.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Over already, or somebody else's.
    #[error("no such session")]
    NotFound,
    /// All sessions of the account were ended since it was let in.
    #[error("what let this session begin counts no more")]
    Outdated,
    /// The session that asks was ended meanwhile.
    #[error("the session that asks is over")]
    SignedOut,
    /// The store could not answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::NotFound => Self::NotFound,
            SessionError::Outdated => Self::Unavailable(Box::new(error)),
            SessionError::SignedOut => Self::Unauthenticated("Please sign in".into()),
            SessionError::Database(error) => error.into(),
            SessionError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Sessions of creators: idle 12 hours, 7 days in all (design section 4).
pub struct Sessions<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl<S: Database> Sessions<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            database,
            clock,
            random,
        }
    }

    /// The state of a live session. Records the visit, at most once in a while;
    /// a session that is found dead is removed, and stays dead.
    ///
    /// # Errors
    /// [`SessionError::Database`].
    pub fn load(&self, key: &Token) -> Result<Option<String>, SessionError> {
        let now = self.clock.now();
        let hash = key.hash();
        let found: Option<UserSession> = self
            .database
            .read(|tx| tx.user_sessions().user_session(&hash))?;
        let Some(found) = found else {
            return Ok(None);
        };
        if !found.is_live(now) {
            self.end(key)?;
            return Ok(None);
        }
        if found.needs_touch(now) {
            self.database
                .write(|tx| tx.user_sessions().touch_user_session(&hash, now))?;
        }
        Ok(Some(found.state))
    }

    /// Begins a session and answers its key. A user's begins in the epoch in which
    /// the user was let in.
    ///
    /// # Errors
    /// [`SessionError`].
    pub fn begin(
        &self,
        user: Option<(UserId, SessionEpoch)>,
        state: String,
    ) -> Result<Token, SessionError> {
        let key = Token::from_random(random::bytes(self.random.as_ref())?);
        let Some((user, epoch)) = user else {
            self.put(&key, None, state)?;
            return Ok(key);
        };
        let begun = self.new_session(&key, Some(user), state);
        if self
            .database
            .write(|tx| tx.user_sessions().begin_user_session(&begun, user, epoch))?
        {
            Ok(key)
        } else {
            Err(SessionError::Outdated)
        }
    }

    /// Replaces the state of a session.
    ///
    /// # Errors
    /// [`SessionError::Database`].
    pub fn put(
        &self,
        key: &Token,
        user: Option<UserId>,
        state: String,
    ) -> Result<(), SessionError> {
        let new = self.new_session(key, user, state);
        Ok(self
            .database
            .write(|tx| tx.user_sessions().put_user_session(&new))?)
    }

    fn new_session(&self, key: &Token, user: Option<UserId>, state: String) -> UserSession {
        let now = self.clock.now();
        UserSession {
            key_hash: key.hash(),
            user,
            state,
            created_at: now,
            last_seen_at: now,
        }
    }

    /// Ends a session; ending it twice is fine.
    ///
    /// # Errors
    /// [`SessionError::Database`].
    pub fn end(&self, key: &Token) -> Result<(), SessionError> {
        Ok(self
            .database
            .write(|tx| tx.user_sessions().remove_user_session(&key.hash()))?)
    }

    /// Where the user is signed in, last seen first.
    ///
    /// # Errors
    /// [`SessionError::Database`].
    pub fn list(&self, user: UserId) -> Result<Vec<UserSession>, SessionError> {
        let now = self.clock.now();
        let mut sessions = self
            .database
            .read(|tx| tx.user_sessions().user_sessions_of(user))?;
        sessions.retain(|tx| tx.is_live(now));
        Ok(sessions)
    }

    /// Ends one of the user's sessions, at once.
    ///
    /// # Errors
    /// [`SessionError::NotFound`] when it is not the user's, or over already;
    /// [`SessionError::SignedOut`] when the actor's is.
    pub fn revoke(
        &self,
        actor: Actor,
        id: UserSessionId,
        origin: &Origin,
    ) -> Result<(), SessionError> {
        match self.revoke_where(actor, origin, |tx| tx.id() == id)? {
            0 => Err(SessionError::NotFound),
            _ => Ok(()),
        }
    }

    /// Ends all of the user's sessions but the actor's, at once.
    ///
    /// # Errors
    /// [`SessionError::SignedOut`].
    pub fn revoke_others(&self, actor: Actor, origin: &Origin) -> Result<(), SessionError> {
        self.revoke_where(actor, origin, |tx| tx.id() != actor.session)?;
        Ok(())
    }

    fn revoke_where(
        &self,
        actor: Actor,
        origin: &Origin,
        is_doomed: impl Fn(&UserSession) -> bool,
    ) -> Result<usize, SessionError> {
        let now = self.clock.now();
        self.database.write(|tx| {
            let held = actor.require_live_session(tx, now)?;
            let mut doomed = held.ok_or(SessionError::SignedOut)?;
            doomed.retain(&is_doomed);
            for found in &doomed {
                tx.user_sessions().remove_user_session(&found.key_hash)?;
                let kind = AuditKind::SessionRevoked;
                let entry = AuditEntry::by(actor.user, kind, now, origin.clone());
                tx.audit()
                    .record(&entry.about(Subject::Transaction(found.id())))?;
            }
            Ok(doomed.len())
        })
    }

    /// Removes dead sessions and answers how many there were.
    ///
    /// # Errors
    /// [`SessionError::Database`].
    pub fn sweep(&self) -> Result<usize, SessionError> {
        let now = self.clock.now();
        Ok(self.database.write(|tx| {
            tx.user_sessions()
                .sweep_user_sessions(now - SESSION_IDLE, now - SESSION_LIFETIME)
        })?)
    }
}

#[cfg(test)]
mod tests;
