//! Events and disclosures as canonical JSON (RFC 8785).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::SecondsFormat;
use serde::Serialize;
use thiserror::Error;

use super::Salt;
use crate::Timestamp;

/// A value has no canonical form.
#[derive(Debug, Error)]
#[error("an event cannot be written as canonical JSON")]
pub struct NotCanonical(#[source] serde_json::Error);

pub(crate) fn canonical(value: &impl Serialize) -> Result<String, NotCanonical> {
    serde_json_canonicalizer::to_string(value).map_err(NotCanonical)
}

/// Returns a time as events write it: UTC with microseconds.
#[must_use]
pub fn timestamp(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Returns a salt as text: base64 of URLs without padding.
#[must_use]
pub fn encode_salt(salt: &Salt) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(salt)
}
