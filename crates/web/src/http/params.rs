//! Ids and tokens in paths and queries. What does not parse does not exist.

use std::str::FromStr;

use actix_web::web::{PathConfig, QueryConfig};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::token::Token;

use super::error::ApiError;

/// What does not even decode is refused with our own body, not with actix's.
pub fn refusals() -> (PathConfig, QueryConfig) {
    (
        PathConfig::default().error_handler(|_, _| ApiError::from(Failure::NotFound).into()),
        QueryConfig::default().error_handler(|_, _| {
            let (message, field) = ("The query of the address is malformed".into(), None);
            ApiError::Malformed { message, field }.into()
        }),
    )
}

/// The idea that a path segment names.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn idea(segment: &str) -> Result<IdeaId, Failure> {
    segment
        .parse::<i64>()
        .map(IdeaId::from)
        .map_err(|_| Failure::NotFound)
}

/// The thing with a UUID that a path segment names.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn id<T: FromStr>(segment: &str) -> Result<T, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// The share link that a path segment names.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn token(segment: &str) -> Result<Token, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// The idea that a query names, if it names one.
///
/// # Errors
/// [`Invalid`] on `ideaId`.
pub fn idea_filter(value: Option<&str>) -> Result<Option<IdeaId>, Invalid> {
    value
        .map(|text| {
            text.parse::<i64>()
                .map(IdeaId::from)
                .map_err(|_| Invalid::new("ideaId", "ideaId must be a whole number"))
        })
        .transpose()
}
