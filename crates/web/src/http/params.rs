//! Ids and tokens in paths and queries. Values that do not parse do not exist (404).

use std::str::FromStr;

use actix_web::web::{PathConfig, QueryConfig};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::token::Token;

use super::error::ApiError;

/// Makes actix use our own error body for values that cannot be decoded.
pub fn refusals() -> (PathConfig, QueryConfig) {
    (
        PathConfig::default().error_handler(|_, _| ApiError::from(Failure::NotFound).into()),
        QueryConfig::default().error_handler(|_, _| {
            let (message, field) = ("The query of the address is malformed".into(), None);
            ApiError::Malformed { message, field }.into()
        }),
    )
}

/// Parses the id of an idea.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn idea(segment: &str) -> Result<IdeaId, Failure> {
    whole_number(segment).ok_or(Failure::NotFound)
}

/// Parses an id that is a UUID.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn id<T: FromStr>(segment: &str) -> Result<T, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// Parses the id of a file. Only the canonical form is accepted, so that a file has one
/// address.
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

/// Parses the token of a share link.
///
/// # Errors
/// [`Failure::NotFound`].
pub fn token(segment: &str) -> Result<Token, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// Parses the idea of a query or a form, if there is one.
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

/// Parses the revision of a query, if there is one.
///
/// # Errors
/// [`Invalid`] on `baseRevision`.
pub fn base_revision(value: Option<&str>) -> Result<Option<i32>, Invalid> {
    let not_one = |_| Invalid::new("baseRevision", "baseRevision must be a whole number");
    value.map(|text| text.parse().map_err(not_one)).transpose()
}

/// Parses a number in its canonical form, so that an idea has one address: neither `+1` nor
/// `01` names it.
fn whole_number(text: &str) -> Option<IdeaId> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then(|| number.into())
}
