//! Ids and tokens in paths and queries. What does not parse does not exist.

use std::str::FromStr;

use actix_web::web::{PathConfig, QueryConfig};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{FileId, IdeaId};
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
    whole_number(segment).ok_or(Failure::NotFound)
}

/// The thing with a UUID that a path segment names.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn id<T: FromStr>(segment: &str) -> Result<T, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// The file that a path segment names. It has one address, so only the form
/// that we write ourselves names it.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn file(segment: &str) -> Result<FileId, Failure> {
    let id: FileId = id(segment)?;
    if id.to_string() == segment {
        Ok(id)
    } else {
        Err(Failure::NotFound)
    }
}

/// The share link that a path segment names.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn token(segment: &str) -> Result<Token, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// The idea that a query or a form names, if it names one.
///
/// # Errors
/// [`Invalid`] on `ideaId`.
pub fn idea_filter(value: Option<&str>) -> Result<Option<IdeaId>, Invalid> {
    value
        .map(|text| {
            whole_number(text)
                .ok_or_else(|| Invalid::new("ideaId", "ideaId must be a whole number"))
        })
        .transpose()
}

/// The revision that a query names, if it names one.
///
/// # Errors
/// [`Invalid`] on `baseRevision`.
pub fn base_revision(value: Option<&str>) -> Result<Option<i32>, Invalid> {
    let not_one = |_| Invalid::new("baseRevision", "baseRevision must be a whole number");
    value.map(|text| text.parse().map_err(not_one)).transpose()
}

/// An id as we write it ourselves: each idea has one address, so neither `+1`
/// nor `01` names it.
fn whole_number(text: &str) -> Option<IdeaId> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then(|| number.into())
}
