//! Sessions of creators: `actix-session` over the `user_sessions` table.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::net::IpAddr;

use actix_session::config::{CookieContentSecurity, PersistentSession, TtlExtensionPolicy};
use actix_session::storage::{LoadError, SaveError, SessionKey, SessionStore, UpdateError};
use actix_session::{Session, SessionExt as _, SessionMiddleware};
use actix_web::body::MessageBody;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{CookieJar, Key, SameSite};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest};
use ideavault_application::actor::Actor;
use ideavault_domain::account::{SESSION_LIFETIME, SessionEpoch, UserSession};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{UserId, UserSessionId};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use serde::{Deserialize, Serialize};

use super::error::ApiError;
use super::executor::Executor;
use super::request_state::client;
use super::turns::Work;
use super::use_cases::UseCases;
use crate::app::App;

/// Session field with the id of the signed-in user.
pub const USER_KEY: &str = "userId";

/// Session field with the account's epoch at sign-in.
const EPOCH_KEY: &str = "epoch";

/// Session field with address and browser at sign-in.
const ORIGIN_KEY: &str = "origin";

/// Session field with the session's own id. Derived from the key when the session is loaded,
/// never stored.
const ID_KEY: &str = "id";

type State = HashMap<String, String>;

/// The signed cookie that holds the key of a session.
#[derive(Clone)]
pub struct SessionCookie {
    key: Key,
    secure: bool,
}

impl SessionCookie {
    /// Signs with `key`. `secure` tells whether browsers use TLS.
    #[must_use]
    pub fn new(key: Key, secure: bool) -> Self {
        Self { key, secure }
    }

    /// Returns who is signed in, for requests without the [`middleware`], which reads the same
    /// cookie. Returns `None` also if the session cannot be loaded.
    pub async fn signed_in(&self, request: &HttpRequest, executor: &Executor) -> Option<UserId> {
        let mut jar = CookieJar::new();
        jar.add_original(request.cookie(self.name())?);
        let cookie = jar.signed(&self.key).get(self.name())?;
        let key = SessionKey::try_from(cookie.value().to_owned()).ok()?;
        let loaded = DatabaseSessions(executor.clone()).load(&key).await;
        user_of(&loaded.ok()??)
    }

    fn name(&self) -> &'static str {
        if self.secure {
            "__Host-ideavault"
        } else {
            "ideavault"
        }
    }
}

/// Builds the session middleware.
pub fn middleware(
    use_cases: Executor,
    cookie: &SessionCookie,
) -> SessionMiddleware<DatabaseSessions> {
    SessionMiddleware::builder(DatabaseSessions(use_cases), cookie.key.clone())
        .cookie_name(cookie.name().into())
        .cookie_content_security(CookieContentSecurity::Signed)
        .cookie_secure(cookie.secure)
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

/// Signs `user` in from `origin`, under a new session id. Has no effect if all sessions of
/// the account were ended since `epoch`.
///
/// # Errors
/// [`Failure::Internal`] if a field cannot be encoded.
pub fn sign_in(
    session: &Session,
    user: UserId,
    epoch: SessionEpoch,
    origin: Origin,
) -> Result<(), Failure> {
    session.renew();
    let origin = SignedInFrom {
        ip: origin.ip,
        user_agent: origin.user_agent,
    };
    session
        .insert(USER_KEY, user)
        .and_then(|()| session.insert(EPOCH_KEY, epoch.number()))
        .and_then(|()| session.insert(ORIGIN_KEY, origin))
        .map_err(|error| Failure::Internal(Box::new(error)))
}

/// Origin of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedInFrom {
    /// The client's address.
    pub ip: IpAddr,
    /// The browser's user agent.
    pub user_agent: Option<String>,
}

impl SignedInFrom {
    /// Reads the origin from a stored session.
    #[must_use]
    pub fn of(session: &UserSession) -> Option<Self> {
        let state: State = serde_json::from_str(&session.state).ok()?;
        serde_json::from_str(state.get(ORIGIN_KEY)?).ok()
    }
}

/// Extracts the signed-in creator together with the session, for use cases that require a
/// session that has not been ended since. Responds with 401 without one.
#[derive(Clone, Copy, Debug)]
pub struct CurrentSession(pub Actor);

impl FromRequest for CurrentSession {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.get_session().get(ID_KEY).ok().flatten();
        let actor = signed_in(request)
            .zip(id)
            .map(|(user, session)| Self(Actor { user, session }));
        ready(actor.ok_or_else(|| Failure::Unauthenticated("Please sign in".into()).into()))
    }
}

/// Returns the signed-in user.
pub fn signed_in(request: &HttpRequest) -> Option<UserId> {
    // A value that does not parse counts as absent.
    request.get_session().get(USER_KEY).ok().flatten()
}

/// Turns errors of the session layer into 503. It fails only if the database does, and would
/// respond with 500.
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
pub struct DatabaseSessions(Executor);

impl DatabaseSessions {
    /// Returns the use cases for the client's network: whose session it is is not known yet.
    fn use_cases(&self) -> UseCases {
        self.0.for_caller(client())
    }

    async fn put(&self, key: Token, state: &State) -> anyhow::Result<()> {
        let (user, state) = (user_of(state), serde_json::to_string(state)?);
        let put = move |app: &App| app.sessions.put(&key, user, state);
        Ok(self.use_cases().run(Work::Session, put).await?)
    }
}

impl SessionStore for DatabaseSessions {
    async fn load(&self, key: &SessionKey) -> Result<Option<State>, LoadError> {
        let Ok(key) = key.as_ref().parse::<Token>() else {
            return Ok(None);
        };
        let id = UserSession::id_of(&key.hash());
        let state = self
            .use_cases()
            .session(
                key.hash(),
                |app, found| app.sessions.is_settled(found),
                move |app| app.sessions.load(&key),
            )
            .await
            .map_err(|error| LoadError::Other(error.into()))?;
        state
            .map(|json| with_id(&json, id))
            .transpose()
            .map_err(|error| LoadError::Deserialization(error.into()))
    }

    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        let user = user_of(&state).map(|user| (user, epoch_of(&state)));
        let json = serde_json::to_string(&state)
            .map_err(|error| SaveError::Serialization(error.into()))?;
        let key = self
            .use_cases()
            .run(Work::Session, move |app| app.sessions.begin(user, json))
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

    /// Does nothing: loading a session records the request (see `Sessions::load`).
    async fn update_ttl(&self, _: &SessionKey, _: &Duration) -> anyhow::Result<()> {
        Ok(())
    }

    async fn delete(&self, key: &SessionKey) -> anyhow::Result<()> {
        if let Ok(key) = key.as_ref().parse::<Token>() {
            self.use_cases()
                .run(Work::Session, move |app| app.sessions.end(&key))
                .await?;
        }
        Ok(())
    }
}

fn with_id(json: &str, id: UserSessionId) -> serde_json::Result<State> {
    let mut state: State = serde_json::from_str(json)?;
    state.insert(ID_KEY.into(), serde_json::to_string(&id)?);
    Ok(state)
}

fn user_of(state: &State) -> Option<UserId> {
    serde_json::from_str(state.get(USER_KEY)?).ok()
}

/// Returns the epoch of a session; one that matches no account if it is absent.
fn epoch_of(state: &State) -> SessionEpoch {
    let number = state
        .get(EPOCH_KEY)
        .and_then(|number| serde_json::from_str(number).ok());
    SessionEpoch::from_number(number.unwrap_or(-1))
}
