//! Why a recipient is refused.

use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::gate::Refusal;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{DatabaseError, PortError, RateLimited, StorageError};
use ideavault_domain::visit::EndedVisit;
use thiserror::Error;

/// The reason why a recipient was refused.
#[derive(Debug, Error)]
pub enum ShareAccessError {
    /// The link is unknown, revoked, expired or exhausted, or the registration is
    /// somebody else's.
    #[error("no such share or recipient")]
    NotFound,
    /// The browser had accepted the agreement, and its visit is over.
    #[error("the visit has ended")]
    Ended(EndedVisit),
    /// An agreement with another text is offered now.
    #[error("the agreement has another text now")]
    OtherText,
    /// The link is for another address.
    #[error("the link is for another email address")]
    WrongAddress,
    /// The address must be confirmed first.
    #[error("the email address is not confirmed")]
    Unconfirmed,
    /// The agreement must be accepted first.
    #[error("the agreement is not accepted")]
    NotAgreed,
    /// An accepted agreement cannot be declined.
    #[error("the agreement is accepted")]
    Agreed,
    /// The recipient needs no code.
    #[error("no code is required")]
    NoCodeRequired,
    /// Too many registrations, or too many codes, from one client, on one link, or on those of an
    /// account.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The database has an idea without its content.
    #[error("the current revision of idea {0} has no content")]
    ContentMissing(IdeaId),
    /// A file that the idea shows cannot be read.
    #[error("a file of the idea cannot be read")]
    FileUnreadable(#[source] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<Refusal> for ShareAccessError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Ended | Refusal::UsedUp => Self::NotFound,
            Refusal::Unconfirmed => Self::Unconfirmed,
            Refusal::Unregistered | Refusal::NotAgreed => Self::NotAgreed,
        }
    }
}

impl From<DatabaseError> for ShareAccessError {
    fn from(error: DatabaseError) -> Self {
        match error {
            // The sharer's: the links have ended with it.
            DatabaseError::AccountGone { .. } => Self::NotFound,
            error => Self::Database(error),
        }
    }
}

impl From<ShareAccessError> for Failure {
    fn from(error: ShareAccessError) -> Self {
        match error {
            ShareAccessError::NotFound => Self::NotFound,
            ShareAccessError::Ended(visit) => Self::VisitEnded(visit),
            ShareAccessError::OtherText => Self::Conflict(
                "The agreement has changed since your visit. Please enter your details again to \
                 read it."
                    .into(),
            ),
            ShareAccessError::WrongAddress => Self::Forbidden(
                "This link was sent to another email address. Please enter the address that \
                 received it."
                    .into(),
            ),
            ShareAccessError::Unconfirmed => Self::Forbidden(
                "Please confirm your email address first, with the code that we sent to it.".into(),
            ),
            ShareAccessError::NotAgreed => {
                Self::Forbidden("Please accept the agreement first.".into())
            }
            ShareAccessError::Agreed => Self::Conflict(
                "You have accepted the agreement already, so it cannot be declined any more."
                    .into(),
            ),
            ShareAccessError::NoCodeRequired => {
                Self::Conflict("There is nothing to confirm with a code.".into())
            }
            ShareAccessError::RateLimited(limited) => limited.into(),
            ShareAccessError::Invalid(invalid) => Self::Invalid(invalid),
            ShareAccessError::ContentMissing(_) => Self::Internal(Box::new(error)),
            ShareAccessError::FileUnreadable(_) => Self::FileUnavailable(Box::new(error)),
            ShareAccessError::Database(error) => error.into(),
            ShareAccessError::Port(error) => error.into(),
        }
    }
}
