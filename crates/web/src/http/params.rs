//! Ids and tokens in paths and queries. A path that does not parse names nothing (404); a query or
//! form that does not is invalid (400).

use std::str::FromStr;

use actix_web::web::{PathConfig, QueryConfig};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::token::Token;
use ideavault_domain::working_copy::EditingSession;

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
pub fn idea(segment: &str) -> Result<IdeaId, Failure> {
    canonical::<i64>(segment)
        .map(Into::into)
        .ok_or(Failure::NotFound)
}

/// Parses the id of an idea; `new` stands for one that was never saved.
pub fn idea_or_new(segment: &str) -> Result<Option<IdeaId>, Failure> {
    if segment == "new" {
        return Ok(None);
    }
    idea(segment).map(Some)
}

/// Parses the name of an editing session, if there is one. The empty name, which answers have, is
/// that of texts without a name.
///
/// # Errors
/// [`Invalid`] on `session`.
pub fn session(name: Option<&str>) -> Result<Option<EditingSession>, Failure> {
    let session =
        name.map(|name| EditingSession::parse(Some(name).filter(|name| !name.is_empty())));
    Ok(session.transpose()?)
}

/// Parses the number of a revision.
pub fn revision(segment: &str) -> Result<i32, Failure> {
    canonical(segment).ok_or(Failure::NotFound)
}

/// Parses an id that is a UUID.
pub fn id<T: FromStr>(segment: &str) -> Result<T, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}

/// Parses the id of a file. Only the canonical form is accepted, so that a file has one
/// address.
pub fn file(segment: &str) -> Result<FileId, Failure> {
    canonical(segment).ok_or(Failure::NotFound)
}

/// Parses the token of a share link.
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
            canonical::<i64>(text)
                .map(Into::into)
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

/// Parses a number or an id in its canonical form, so that what it names has one address: neither
/// `+1` nor `01` names the first idea.
fn canonical<T: FromStr + ToString>(text: &str) -> Option<T> {
    let number: T = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
