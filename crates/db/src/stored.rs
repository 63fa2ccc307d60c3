//! Parses stored values into domain types. An invalid value is reported as damage,
//! without the value itself, which may be confidential.

mod time;

use std::error::Error;
use std::str::FromStr;

use ideavault_domain::code::CodeHash;
use ideavault_domain::content::{Content, ContentKind};
use ideavault_domain::share::ShareType;
use ideavault_domain::token::TokenHash;

use crate::error::{QueryError, QueryResult};

pub(crate) use time::Time;

fn damaged(what: &'static str, source: Option<Box<dyn Error + Send + Sync>>) -> QueryError {
    QueryError::Damaged { what, source }
}

/// Parses a value from text: an id, a digest, an address.
pub(crate) fn parsed<T>(what: &'static str, text: &str) -> QueryResult<T>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    text.parse()
        .map_err(|error| damaged(what, Some(Box::new(error))))
}

/// Decodes the hexadecimal digits of a text column.
pub(crate) fn from_hex(what: &'static str, text: &str) -> QueryResult<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    required(what, pairs.collect())
}

/// Parses the hash of a secret.
pub(crate) fn token_hash(bytes: Vec<u8>) -> QueryResult<TokenHash> {
    <[u8; 32]>::try_from(bytes)
        .map(TokenHash::from_stored)
        .map_err(|_| damaged("token hash", None))
}

/// Parses the keyed hash of a code.
pub(crate) fn code_hash(bytes: Vec<u8>) -> QueryResult<CodeHash> {
    <[u8; 32]>::try_from(bytes)
        .map(CodeHash::from_bytes)
        .map_err(|_| damaged("code hash", None))
}

/// Returns a value that a constraint of the schema guarantees.
pub(crate) fn required<T>(what: &'static str, value: Option<T>) -> QueryResult<T> {
    value.ok_or_else(|| damaged(what, None))
}

/// Parses the type of a share.
pub(crate) fn share_type(name: &str) -> QueryResult<ShareType> {
    required("share type", ShareType::from_name(name))
}

/// Parses the format of a content.
pub(crate) fn content_kind(name: &str) -> QueryResult<ContentKind> {
    required("content kind", ContentKind::from_name(name))
}

/// Parses a content.
pub(crate) fn content(kind: &str, text: String) -> QueryResult<Content> {
    Content::from_stored(content_kind(kind)?, text)
        .map_err(|error| damaged("content", Some(Box::new(error))))
}
