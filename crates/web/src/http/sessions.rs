//! Signed-in sessions: `actix-session` over our own table.

use std::collections::HashMap;

use actix_session::config::{CookieContentSecurity, PersistentSession, TtlExtensionPolicy};
use actix_session::storage::{LoadError, SaveError, SessionKey, SessionStore, UpdateError};
use actix_session::{Session, SessionMiddleware};
use actix_web::body::MessageBody;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Key, SameSite};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest};
use ideavault_domain::account::SESSION_LIFETIME;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::token::Token;

use super::blocking::UseCases;
use super::error::ApiError;

/// Where the session keeps who is signed in.
pub const USER_KEY: &str = "userId";

type State = HashMap<String, String>;

/// The session layer, for one server. `secure` says whether browsers reach it
/// over TLS.
pub fn middleware(
    use_cases: UseCases,
    key: Key,
    secure: bool,
) -> SessionMiddleware<DatabaseSessions> {
    let name = if secure {
        "__Host-ideavault"
    } else {
        "ideavault"
    };
    SessionMiddleware::builder(DatabaseSessions(use_cases), key)
        .cookie_name(name.into())
        .cookie_content_security(CookieContentSecurity::Signed)
        .cookie_secure(secure)
        .cookie_http_only(true)
        .cookie_same_site(SameSite::Strict)
        .cookie_path("/".into())
        .session_lifecycle(
            PersistentSession::default()
                .session_ttl(Duration::seconds(SESSION_LIFETIME.num_seconds()))
                .session_ttl_extension_policy(TtlExtensionPolicy::OnStateChanges),
        )
        .build()
}

/// Signs `user` in, under a new session id.
///
/// # Errors
/// [`Failure::Internal`] when the id cannot be encoded.
pub fn sign_in(session: &Session, user: UserId) -> Result<(), Failure> {
    session.renew();
    session
        .insert(USER_KEY, user)
        .map_err(|error| Failure::Internal(Box::new(error)))
}

/// Who is signed in.
pub fn signed_in(request: &HttpRequest) -> Option<UserId> {
    use actix_session::SessionExt as _;
    // A value that does not parse signs nobody in.
    request.get_session().get(USER_KEY).ok().flatten()
}

/// The session layer fails only when the store does, and would answer 500.
pub async fn unavailable_not_broken<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    next.call(request).await.map_err(|error| {
        let failure = Failure::Unavailable(error.to_string().into());
        ApiError::Failure(failure).into()
    })
}

/// [`SessionStore`] on the `user_sessions` table.
pub struct DatabaseSessions(UseCases);

impl DatabaseSessions {
    async fn put(&self, key: Token, state: &State) -> anyhow::Result<()> {
        let (user, state) = (user_of(state), serde_json::to_string(state)?);
        let put = self.0.run(move |app| app.sessions.put(&key, user, state));
        Ok(put.await?)
    }
}

impl SessionStore for DatabaseSessions {
    async fn load(&self, key: &SessionKey) -> Result<Option<State>, LoadError> {
        let Ok(key) = key.as_ref().parse::<Token>() else {
            return Ok(None);
        };
        let state = self
            .0
            .run(move |app| app.sessions.load(&key))
            .await
            .map_err(|error| LoadError::Other(error.into()))?;
        state
            .map(|json| serde_json::from_str(&json))
            .transpose()
            .map_err(|error| LoadError::Deserialization(error.into()))
    }

    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        let user = user_of(&state);
        let json = serde_json::to_string(&state)
            .map_err(|error| SaveError::Serialization(error.into()))?;
        let key = self
            .0
            .run(move |app| app.sessions.begin(user, json))
            .await
            .map_err(|error| SaveError::Other(error.into()))?;
        SessionKey::try_from(key.reveal()).map_err(|error| SaveError::Other(error.into()))
    }

    async fn update(
        &self,
        key: SessionKey,
        state: State,
        _: &Duration,
    ) -> Result<SessionKey, UpdateError> {
        let token = key
            .as_ref()
            .parse()
            .map_err(|error: ideavault_domain::token::NotAToken| {
                UpdateError::Other(error.into())
            })?;
        self.put(token, &state).await.map_err(UpdateError::Other)?;
        Ok(key)
    }

    /// Nothing to do: loading a session records the visit (see `Sessions::load`).
    async fn update_ttl(&self, _: &SessionKey, _: &Duration) -> anyhow::Result<()> {
        Ok(())
    }

    async fn delete(&self, key: &SessionKey) -> anyhow::Result<()> {
        if let Ok(key) = key.as_ref().parse::<Token>() {
            self.0.run(move |app| app.sessions.end(&key)).await?;
        }
        Ok(())
    }
}

fn user_of(state: &State) -> Option<UserId> {
    serde_json::from_str(state.get(USER_KEY)?).ok()
}
