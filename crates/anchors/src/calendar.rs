//! A client for calendars of OpenTimestamps: `POST /digest` and `GET /timestamp/COMMITMENT`.

use ideavault_domain::hex;
use ideavault_evidence::ots::{Attestation, CalendarTimestamp, OtsError};
use thiserror::Error;

use crate::http::{Endpoint, HttpClient, HttpError, HttpRequest, HttpResponse};

const ACCEPT: &str = "application/vnd.opentimestamps.v1";
/// The content type of the request with a digest, as the reference client sends it.
const FORM: &str = "application/x-www-form-urlencoded";
/// Most bytes of a response. Complete proofs have about 2,000.
const RESPONSE_MAX: usize = 16 * 1024;
const OK: u16 = 200;
const NOT_FOUND: u16 = 404;

/// Why a calendar gave nothing.
#[derive(Debug, Error)]
pub enum CalendarError {
    /// The exchange failed.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The response is no proof.
    #[error("the calendar sent no proof")]
    Proof(#[from] OtsError),
}

/// Submits a digest and returns the calendar's promise: a proof with pending attestations.
pub async fn submit(
    client: &dyn HttpClient,
    calendar: &Endpoint,
    digest: &[u8; 32],
) -> Result<CalendarTimestamp, CalendarError> {
    let response = client
        .send(HttpRequest {
            endpoint: calendar.join(&["digest"]),
            accept: ACCEPT,
            post: Some((FORM, digest)),
            response_max: RESPONSE_MAX,
        })
        .await?;
    Ok(CalendarTimestamp::parse(&proof_of(response)?, digest)?)
}

/// Asks a calendar for the rest of a proof: from the message of a pending attestation to Bitcoin.
/// None if it is still pending, or unknown to this calendar.
pub async fn upgrade(
    client: &dyn HttpClient,
    calendar: &Endpoint,
    commitment: &[u8],
) -> Result<Option<CalendarTimestamp>, CalendarError> {
    let digits = hex::encode(commitment);
    let response = client
        .send(HttpRequest {
            endpoint: calendar.join(&["timestamp", &digits]),
            accept: ACCEPT,
            post: None,
            response_max: RESPONSE_MAX,
        })
        .await?;
    if response.status == NOT_FOUND {
        return Ok(None);
    }
    let proof = CalendarTimestamp::parse(&proof_of(response)?, commitment)?;
    let is_complete = proof
        .attestations()
        .any(|found| matches!(found, Attestation::Bitcoin { .. }));
    Ok(is_complete.then_some(proof))
}

fn proof_of(response: HttpResponse) -> Result<Vec<u8>, HttpError> {
    if response.status != OK {
        return Err(HttpError::Status(response.status));
    }
    Ok(response.body)
}

#[cfg(test)]
pub(crate) mod build;

#[cfg(test)]
mod tests;
