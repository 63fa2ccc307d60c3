//! Signed-in browsers, for the web's session layer.

use std::sync::Arc;

use ideavault_domain::account::{SESSION_IDLE, SESSION_LIFETIME, UserSession};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, PortError, Random, Store, StoreError};
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::random;

/// Why a session could not be kept.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Store(error) => error.into(),
            SessionError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Sessions of creators: idle 12 hours, 7 days in all (design section 4).
pub struct Sessions<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl<S: Store> Sessions<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            store,
            clock,
            random,
        }
    }

    /// The state of a live session. Records the visit, at most once in a while.
    ///
    /// # Errors
    /// [`SessionError::Store`].
    pub fn load(&self, key: &Token) -> Result<Option<String>, SessionError> {
        let now = self.clock.now();
        let hash = key.hash();
        let found: Option<UserSession> = self.store.read(|session| session.user_session(&hash))?;
        let Some(found) = found.filter(|session| session.is_live(now)) else {
            return Ok(None);
        };
        if found.needs_touch(now) {
            self.store
                .write(|session| session.touch_user_session(&hash, now))?;
        }
        Ok(Some(found.state))
    }

    /// Begins a session and answers its key.
    ///
    /// # Errors
    /// [`SessionError`].
    pub fn begin(&self, user: Option<UserId>, state: String) -> Result<Token, SessionError> {
        let key = Token::from_random(random::bytes(self.random.as_ref())?);
        self.put(&key, user, state)?;
        Ok(key)
    }

    /// Replaces the state of a session.
    ///
    /// # Errors
    /// [`SessionError::Store`].
    pub fn put(
        &self,
        key: &Token,
        user: Option<UserId>,
        state: String,
    ) -> Result<(), SessionError> {
        let now = self.clock.now();
        let session = UserSession {
            key_hash: key.hash(),
            user,
            state,
            created_at: now,
            last_seen_at: now,
        };
        Ok(self.store.write(|store| store.put_user_session(&session))?)
    }

    /// Ends a session; ending it twice is fine.
    ///
    /// # Errors
    /// [`SessionError::Store`].
    pub fn end(&self, key: &Token) -> Result<(), SessionError> {
        Ok(self
            .store
            .write(|session| session.remove_user_session(&key.hash()))?)
    }

    /// Removes dead sessions and answers how many there were.
    ///
    /// # Errors
    /// [`SessionError::Store`].
    pub fn sweep(&self) -> Result<usize, SessionError> {
        let now = self.clock.now();
        Ok(self.store.write(|session| {
            session.sweep_user_sessions(now - SESSION_IDLE, now - SESSION_LIFETIME)
        })?)
    }
}
