//! Login sessions, for the web session layer.

use ideavault_domain::account::{SessionEpoch, UserSession};
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{UserId, UserSessionId};
use ideavault_domain::ports::{Database, DatabaseError, PortError};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::actor::Actor;
use crate::deps::Deps;
use crate::random;

/// The reason why a session could not be stored or ended.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Already ended, or somebody else's.
    #[error("no such session")]
    NotFound,
    /// All sessions of the account were ended since the login was accepted.
    #[error("all sessions of the account were ended since the login")]
    Outdated,
    /// The actor's session was ended meanwhile.
    #[error("the session of the request has ended")]
    SignedOut,
    /// A database error.
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
            SessionError::Port(error) => error.into(),
        }
    }
}

/// Login sessions: 12 hours idle, 7 days in all (`docs/rules.md#sessions`).
pub struct Sessions<S> {
    deps: Deps<S>,
}

impl<S: Database> Sessions<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>) -> Self {
        Self { deps }
    }

    /// Returns a live session as it was, and records its use, at most once every few minutes. An
    /// expired session is removed.
    pub fn load(&self, key: &Token) -> Result<Option<UserSession>, SessionError> {
        let now = self.deps.clock.now();
        let hash = key.hash();
        let found: Option<UserSession> = self
            .deps
            .database
            .read_one(|tx| tx.user_sessions().user_session(&hash))?;
        match found {
            Some(found) if !found.is_live(now) => {
                self.end(key)?;
                Ok(None)
            }
            Some(found) if found.needs_touch(now) => {
                self.deps
                    .database
                    .write(|tx| tx.user_sessions().touch_user_session(&hash, now))?;
                Ok(Some(found))
            }
            found => Ok(found),
        }
    }

    /// Returns whether [`Sessions::load`] would return a session that was found, or not, and write
    /// nothing.
    pub fn is_settled(&self, found: Option<&UserSession>) -> bool {
        let now = self.deps.clock.now();
        found.is_none_or(|found| found.is_live(now) && !found.needs_touch(now))
    }

    /// Begins a session and returns its key. A user's session begins in the epoch of
    /// the login.
    pub fn begin(
        &self,
        user: Option<(UserId, SessionEpoch)>,
        state: String,
    ) -> Result<Token, SessionError> {
        let key = Token::from_random(random::bytes(self.deps.random.as_ref())?);
        let Some((user, epoch)) = user else {
            self.put(&key, None, state)?;
            return Ok(key);
        };
        let begun = self.new_session(&key, Some(user), state);
        if self
            .deps
            .database
            .write(|tx| tx.user_sessions().begin_user_session(&begun, user, epoch))?
        {
            Ok(key)
        } else {
            Err(SessionError::Outdated)
        }
    }

    /// Replaces the state of a session.
    pub fn put(
        &self,
        key: &Token,
        user: Option<UserId>,
        state: String,
    ) -> Result<(), SessionError> {
        let new = self.new_session(key, user, state);
        Ok(self
            .deps
            .database
            .write(|tx| tx.user_sessions().upsert_user_session(&new))?)
    }

    fn new_session(&self, key: &Token, user: Option<UserId>, state: String) -> UserSession {
        let now = self.deps.clock.now();
        UserSession {
            key_hash: key.hash(),
            user,
            state,
            created_at: now,
            last_seen_at: now,
        }
    }

    /// Ends a session. Idempotent.
    pub fn end(&self, key: &Token) -> Result<(), SessionError> {
        Ok(self
            .deps
            .database
            .write(|tx| tx.user_sessions().remove_user_session(&key.hash()))?)
    }

    /// Returns the user's live sessions, most recently used first.
    pub fn list(&self, user: UserId) -> Result<Vec<UserSession>, SessionError> {
        let now = self.deps.clock.now();
        let mut sessions = self
            .deps
            .database
            .read_one(|tx| tx.user_sessions().user_sessions_of(user))?;
        sessions.retain(|session| session.is_live(now));
        Ok(sessions)
    }

    /// Ends one of the user's sessions immediately.
    ///
    /// # Errors
    /// [`SessionError::NotFound`] when it is not the user's or already ended;
    /// [`SessionError::SignedOut`] when the actor's is.
    pub fn revoke(
        &self,
        actor: Actor,
        id: UserSessionId,
        origin: &Origin,
    ) -> Result<(), SessionError> {
        match self.revoke_where(actor, origin, |session| session.id() == id)? {
            0 => Err(SessionError::NotFound),
            _ => Ok(()),
        }
    }

    /// Ends all of the user's sessions but the actor's, immediately.
    pub fn revoke_others(&self, actor: Actor, origin: &Origin) -> Result<(), SessionError> {
        self.revoke_where(actor, origin, |session| session.id() != actor.session)?;
        Ok(())
    }

    fn revoke_where(
        &self,
        actor: Actor,
        origin: &Origin,
        is_revoked: impl Fn(&UserSession) -> bool,
    ) -> Result<usize, SessionError> {
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            let sessions = actor.require_live_session(tx, now)?;
            let mut revoked = sessions.ok_or(SessionError::SignedOut)?;
            revoked.retain(&is_revoked);
            for found in &revoked {
                tx.user_sessions().remove_user_session(&found.key_hash)?;
                let kind = AuditKind::SessionRevoked;
                let entry = AuditEntry::by(actor.user, kind, now, origin.clone());
                tx.audit()
                    .record(&entry.about(Subject::Session(found.id())))?;
            }
            Ok(revoked.len())
        })
    }
}
