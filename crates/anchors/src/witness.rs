//! A client for witnesses: `POST /add-checkpoint` of <https://c2sp.org/tlog-witness>.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use thiserror::Error;

use crate::http::{Endpoint, HttpClient, HttpError, HttpRequest};

const TEXT: &str = "text/plain";
/// The type of a response that names a size.
const SIZE: &str = "text/x.tlog.size";
/// Most bytes of a response. A line with a signature has about 200.
const RESPONSE_MAX: usize = 16 * 1024;
const OK: u16 = 200;
const CONFLICT: u16 = 409;

/// Why a witness gave nothing.
#[derive(Debug, Error)]
pub enum WitnessError {
    /// The exchange failed.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The response is neither lines with signatures nor a size.
    #[error("the witness sent something else than signatures")]
    Malformed,
}

/// The response of a witness.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// Lines with signatures, each with its end.
    Signed(String),
    /// It has seen the log with this size, and wants a proof from there.
    Seen(u64),
}

/// Sends a checkpoint and the proof that it extends the log of `old` events, which is empty
/// for `old` 0.
pub async fn add_checkpoint(
    client: &dyn HttpClient,
    witness: &Endpoint,
    (old, proof): (u64, &[[u8; 32]]),
    note: &[u8],
) -> Result<Answer, WitnessError> {
    let mut body = format!("old {old}\n");
    for hash in proof {
        body.push_str(&BASE64_STANDARD.encode(hash));
        body.push('\n');
    }
    body.push('\n');
    let body = [body.as_bytes(), note].concat();
    let response = client
        .send(HttpRequest {
            endpoint: witness.join(&["add-checkpoint"]),
            accept: TEXT,
            post: Some((TEXT, &body)),
            response_max: RESPONSE_MAX,
        })
        .await?;
    let text = String::from_utf8(response.body).map_err(|_| WitnessError::Malformed);
    match (response.status, response.media_type.as_deref()) {
        (OK, _) => Ok(Answer::Signed(text?)),
        (CONFLICT, Some(SIZE)) => {
            let text = text?;
            let size = text.strip_suffix('\n').and_then(|size| size.parse().ok());
            Ok(Answer::Seen(size.ok_or(WitnessError::Malformed)?))
        }
        (status, _) => Err(HttpError::Status(status).into()),
    }
}

#[cfg(test)]
mod tests;
