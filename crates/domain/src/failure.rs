//! How anything can fail, seen from a caller. Each area of the application has
//! an error enum of its own; all of them become one [`Failure`], and only the
//! outermost layer turns that into a status code.

use std::error::Error;
use std::time::Duration;

use thiserror::Error;

/// Input that breaks a rule of the spec's section 5.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {message}")]
pub struct Invalid {
    /// The payload's name of the field (camelCase).
    pub field: &'static str,
    /// What to show to the person, word for word.
    pub message: String,
}

impl Invalid {
    /// A broken rule on `field`.
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self {
            field,
            message: message.into(),
        }
    }

    /// The same rule, met in a form that calls the field differently.
    #[must_use]
    pub fn at(self, field: &'static str) -> Self {
        Self { field, ..self }
    }
}

/// What went wrong, in terms that every caller understands.
#[derive(Debug, Error)]
pub enum Failure {
    /// Absent, not yours, or a dead link: callers must not be able to tell which.
    #[error("not found")]
    NotFound,
    /// Nobody is signed in, or the credentials are wrong.
    #[error("unauthenticated: {0}")]
    Unauthenticated(String),
    /// The credentials are right as far as they go, but that field is missing or wrong.
    #[error("unproven: {0}")]
    Unproven(Invalid),
    /// Somebody is known, but a gate is not met.
    #[error("forbidden: {0}")]
    Forbidden(String),
    /// The request is well formed but the state of things forbids it.
    #[error("conflict: {0}")]
    Conflict(String),
    /// What was sent is based on an older revision than the current one.
    #[error("based on an older revision than {revision}")]
    Outdated {
        /// What to tell the person.
        message: &'static str,
        /// Number of the current revision.
        revision: i32,
    },
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The body exceeds its cap.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The caller must wait.
    #[error("too many requests")]
    TooMany {
        /// How long until the next attempt can succeed.
        retry_after: Duration,
    },
    /// Something that we depend on is down; the same request may work later.
    #[error("unavailable: {0}")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// A stored file is not where it should be, or cannot be read.
    #[error("file unavailable: {0}")]
    FileUnavailable(#[source] Box<dyn Error + Send + Sync>),
    /// Somebody else's service failed; trying again may help.
    #[error("upstream failed: {message}")]
    Upstream {
        /// What to tell the person.
        message: &'static str,
        /// Why, for the log.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// Somebody else's service took too long.
    #[error("upstream timed out: {0}")]
    UpstreamTimeout(&'static str),
    /// The operator has not set this up.
    #[error("not configured: {0}")]
    NotConfigured(&'static str),
    /// What is stored in the whole vault has reached the operator's limit.
    #[error("quota reached: {0}")]
    QuotaReached(String),
    /// No space is left to store anything.
    #[error("storage full: {0}")]
    StorageFull(#[source] Box<dyn Error + Send + Sync>),
    /// Our fault. Logged with its chain, never shown.
    #[error("internal: {0}")]
    Internal(#[source] Box<dyn Error + Send + Sync>),
}
