//! Maps failures to HTTP statuses (docs/rules.md#statuses).

use std::error::Error;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use ideavault_domain::failure::{Failure, Invalid};
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use crate::wire::share_access::EndedVisitView;

/// The body of every refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Message for the person.
    pub message: String,
    /// The field that the message is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The idea's current revision, if a save was based on an older one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i32>,
    /// The visit that has ended, if the caller had accepted the agreement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndedVisitView>,
}

/// Reasons why a request is refused.
#[derive(Debug, Error)]
pub enum ApiError {
    /// The failure of a use case.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// The body does not match the route's type.
    #[error("malformed body: {message}")]
    Malformed {
        /// Description of the problem.
        message: String,
        /// Name of the field.
        field: Option<String>,
    },
    /// The body has another media type than the route takes.
    #[error("unsupported media type")]
    MediaType {
        /// Name of the expected type.
        takes: &'static str,
    },
    /// No byte of the file is in the range that was asked for.
    #[error("the range is not satisfiable")]
    Range {
        /// Size of the file, in bytes.
        size: u64,
    },
    /// The body did not arrive in time.
    #[error("the body took too long")]
    Slow,
    /// The request comes from another site.
    #[error("cross-origin request")]
    CrossOrigin,
    /// The route does not exist.
    #[error("no such route")]
    NoRoute,
}

/// So much is under way that one more cannot be. Whoever causes it can do so without end, so it
/// is not logged.
#[derive(Debug, Error)]
#[error("too much is under way")]
pub struct Busy;

impl From<Invalid> for ApiError {
    fn from(invalid: Invalid) -> Self {
        Self::Failure(invalid.into())
    }
}

impl ApiError {
    fn body(&self) -> ErrorBody {
        let (message, field) = match self {
            Self::Failure(failure) => failure_text(failure),
            Self::Malformed { message, field } => (message.as_str(), field.clone()),
            Self::MediaType { takes } => (*takes, None),
            Self::Range { .. } => ("The file has no such part", None),
            Self::Slow => (
                "The request took too long to arrive. Please try again.",
                None,
            ),
            Self::CrossOrigin => ("Requests from other sites are not accepted", None),
            Self::NoRoute => ("Not found", None),
        };
        ErrorBody {
            message: message.to_owned(),
            field,
            revision: self.revision(),
            ended: self.ended(),
        }
    }

    fn ended(&self) -> Option<EndedVisitView> {
        match self {
            Self::Failure(Failure::VisitEnded(visit)) => Some((*visit).into()),
            _ => None,
        }
    }

    fn revision(&self) -> Option<i32> {
        match self {
            Self::Failure(Failure::Outdated { revision, .. }) => Some(*revision),
            _ => None,
        }
    }

    /// Whether the operator has something to mend. A caller who is refused for what they do
    /// themselves must not fill the log.
    fn is_fault(&self) -> bool {
        let Self::Failure(failure) = self else {
            return false;
        };
        match failure {
            Failure::Unavailable(cause) => !cause.is::<Busy>(),
            Failure::Internal(_)
            | Failure::Damaged(_)
            | Failure::StorageFull(_)
            | Failure::FileUnavailable(_)
            | Failure::Upstream { .. } => true,
            _ => false,
        }
    }

    fn log(&self) {
        if let Self::Failure(failure) = self
            && self.is_fault()
        {
            tracing::error!(error = chain(failure), "request failed");
        }
    }
}

/// Formats an error and its causes in one line.
pub fn chain(error: &dyn Error) -> String {
    let mut chain = error.to_string();
    let mut cause = error.source();
    while let Some(current) = cause {
        chain.push_str(": ");
        chain.push_str(&current.to_string());
        cause = current.source();
    }
    chain
}

fn failure_text(failure: &Failure) -> (&str, Option<String>) {
    match failure {
        Failure::NotFound => ("Not found", None),
        Failure::VisitEnded(_) => ("Your visit has ended.", None),
        Failure::Unauthenticated(message)
        | Failure::Forbidden(message)
        | Failure::Gone(message)
        | Failure::Conflict(message)
        | Failure::TooLarge(message)
        | Failure::QuotaReached(message) => (message, None),
        Failure::Outdated { message, .. } => (message, None),
        Failure::Invalid(invalid) | Failure::Unproven(invalid) => {
            (&invalid.message, Some(invalid.field.to_owned()))
        }
        Failure::TooMany { .. } => ("Too many requests. Please try again later.", None),
        Failure::Unavailable(_) => (
            "The service is unavailable right now. Please try again shortly.",
            None,
        ),
        Failure::FileUnavailable(_) => (
            "A file of this document cannot be read right now, and no view was counted. Please \
             try again later, or tell the person who shared it with you.",
            None,
        ),
        Failure::Upstream { message, .. }
        | Failure::UpstreamTimeout(message)
        | Failure::NotConfigured(message) => (message, None),
        Failure::StorageFull(_) => (
            "The storage is full. Nothing was saved. Please tell the operator of this vault.",
            None,
        ),
        Failure::Damaged(_) => (
            "This cannot be read: its stored data is damaged. Please ask the operator of this vault \
             to restore it from a backup.",
            None,
        ),
        Failure::Internal(_) => ("Something went wrong on our side. Please try again.", None),
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Failure(failure) => match failure {
                Failure::NotFound => StatusCode::NOT_FOUND,
                Failure::Unauthenticated(_) | Failure::Unproven(_) => StatusCode::UNAUTHORIZED,
                Failure::Forbidden(_) => StatusCode::FORBIDDEN,
                Failure::Gone(_) | Failure::VisitEnded(_) => StatusCode::GONE,
                Failure::Conflict(_) | Failure::Outdated { .. } => StatusCode::CONFLICT,
                Failure::Invalid(_) => StatusCode::BAD_REQUEST,
                Failure::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                Failure::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
                Failure::Unavailable(_)
                | Failure::FileUnavailable(_)
                | Failure::NotConfigured(_) => StatusCode::SERVICE_UNAVAILABLE,
                Failure::Upstream { .. } => StatusCode::BAD_GATEWAY,
                Failure::UpstreamTimeout(_) => StatusCode::GATEWAY_TIMEOUT,
                Failure::StorageFull(_) | Failure::QuotaReached(_) => {
                    StatusCode::INSUFFICIENT_STORAGE
                }
                Failure::Internal(_) | Failure::Damaged(_) => StatusCode::INTERNAL_SERVER_ERROR,
            },
            Self::Malformed { .. } => StatusCode::BAD_REQUEST,
            Self::Range { .. } => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::MediaType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::CrossOrigin => StatusCode::FORBIDDEN,
            Self::NoRoute => StatusCode::NOT_FOUND,
        }
    }

    fn error_response(&self) -> HttpResponse {
        self.log();
        let mut response = HttpResponseBuilder::new(self.status_code());
        if let Self::Failure(Failure::TooMany { retry_after }) = self {
            let seconds = retry_after.as_secs().max(1);
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Self::Range { size } = self {
            response.insert_header((header::CONTENT_RANGE, format!("bytes */{size}")));
        }
        response.json(self.body())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_caller_can_provoke_without_end_is_not_logged() {
        let away = Failure::Unavailable("the database is away".into());
        assert!(ApiError::from(away).is_fault());
        for refused in [
            Failure::Unavailable(Box::new(Busy)),
            Failure::QuotaReached("The quota is reached".into()),
            Failure::NotFound,
        ] {
            assert!(!ApiError::from(refused).is_fault());
        }
    }
}
