//! Failures as callers see them. Each area of the application has its own error enum;
//! all of them convert into [`Failure`], and only the outermost layer turns that into
//! a status code.

use std::error::Error;
use std::time::Duration;

use thiserror::Error;

use crate::visit::EndedVisit;

/// Input that breaks a rule of `docs/rules.md`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {message}")]
pub struct Invalid {
    /// Name of the field in the payload (camelCase).
    pub field: &'static str,
    /// Message shown to the person, word for word.
    pub message: String,
}

impl Invalid {
    /// Creates an error on `field`.
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self {
            field,
            message: message.into(),
        }
    }

    /// Returns the same error for a form that names the field differently.
    #[must_use]
    pub fn at(self, field: &'static str) -> Self {
        Self { field, ..self }
    }
}

/// The reason why an action failed, in terms common to all areas.
#[derive(Debug, Error)]
pub enum Failure {
    /// Absent, somebody else's, or an invalid link: callers must not be able to tell
    /// which.
    #[error("not found")]
    NotFound,
    /// It existed, and was erased for good.
    #[error("gone: {0}")]
    Gone(String),
    /// The visit of a reader who had accepted the agreement is over.
    #[error("the visit has ended")]
    VisitEnded(EndedVisit),
    /// Not signed in, or wrong credentials.
    #[error("unauthenticated: {0}")]
    Unauthenticated(String),
    /// The credentials are right so far, but that field is missing or wrong.
    #[error("unproven: {0}")]
    Unproven(Invalid),
    /// The caller is known, but a required condition is not met.
    #[error("forbidden: {0}")]
    Forbidden(String),
    /// The request is valid, but conflicts with the current state.
    #[error("conflict: {0}")]
    Conflict(String),
    /// The change is based on an older revision than the current one.
    #[error("based on an older revision than {revision}")]
    Outdated {
        /// Message for the person.
        message: &'static str,
        /// Number of the current revision.
        revision: i32,
    },
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The body exceeds its size limit.
    #[error("too large: {0}")]
    TooLarge(String),
    /// A rate limit was reached.
    #[error("too many requests")]
    TooMany {
        /// Time until the next attempt can succeed.
        retry_after: Duration,
    },
    /// A dependency is down; the same request may work later.
    #[error("unavailable: {0}")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// A stored file is missing or cannot be read.
    #[error("file unavailable: {0}")]
    FileUnavailable(#[source] Box<dyn Error + Send + Sync>),
    /// An external service failed; a retry may help.
    #[error("upstream failed: {message}")]
    Upstream {
        /// Message for the person.
        message: &'static str,
        /// The underlying error, for the log.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// An external service timed out.
    #[error("upstream timed out: {0}")]
    UpstreamTimeout(&'static str),
    /// The operator has not configured this.
    #[error("not configured: {0}")]
    NotConfigured(&'static str),
    /// The vault's total storage has reached the operator's limit.
    #[error("quota reached: {0}")]
    QuotaReached(String),
    /// The disk is full.
    #[error("storage full: {0}")]
    StorageFull(#[source] Box<dyn Error + Send + Sync>),
    /// A stored value is damaged. Logged with its error chain; what is shown says whom to ask.
    #[error("damaged: {0}")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
    /// A bug. Logged with its error chain, never shown.
    #[error("internal: {0}")]
    Internal(#[source] Box<dyn Error + Send + Sync>),
}
