//! The exchange with a time-stamping authority over HTTP (RFC 3161 section 3.4).

use crate::http::{Endpoint, HttpClient, HttpError, HttpRequest};
use crate::rfc3161::RESPONSE_MAX;

const QUERY: &str = "application/timestamp-query";
const REPLY: &str = "application/timestamp-reply";

/// Sends a [request](crate::rfc3161::request) and returns the response, which still has to be
/// [verified](crate::rfc3161::verify).
///
/// # Errors
/// [`HttpError`]: also for a status that is no success.
pub async fn ask(
    client: &dyn HttpClient,
    authority: &Endpoint,
    request: &[u8],
) -> Result<Vec<u8>, HttpError> {
    let response = client
        .send(HttpRequest {
            endpoint: authority.clone(),
            accept: REPLY,
            post: Some((QUERY, request)),
            response_max: RESPONSE_MAX,
        })
        .await?;
    // Some answer 201, or name another type: whether it is a time-stamp, the token decides.
    if !(200..300).contains(&response.status) {
        return Err(HttpError::Status(response.status));
    }
    Ok(response.body)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::http::WebClient;
    use crate::http::stub::{Behaviour, Stub, response};

    async fn answer(status: &'static str, media_type: &'static str) -> Result<Vec<u8>, HttpError> {
        let stub = Stub::start(move |request| {
            assert!(request.head.starts_with("POST /tsr HTTP/1.1"));
            let head = request.head.to_lowercase();
            assert!(head.contains("content-type: application/timestamp-query"));
            Behaviour::Sends(response(status, media_type, &request.body))
        })
        .await;
        let client = WebClient::new(Duration::from_secs(5)).unwrap();
        ask(&client, &stub.endpoint("/tsr"), b"query").await
    }

    #[tokio::test]
    async fn the_body_of_any_success_is_returned() {
        for media_type in [REPLY, "application/octet-stream", "text/html"] {
            for status in ["200 OK", "201 Created", "202 Accepted"] {
                assert_eq!(answer(status, media_type).await.unwrap(), b"query");
            }
        }
    }

    #[tokio::test]
    async fn another_status_is_an_error() {
        for status in ["302 Found", "404 Not Found", "500 Oops"] {
            let error = answer(status, REPLY).await.unwrap_err();
            let expected: u16 = status[..3].parse().unwrap();
            assert!(matches!(error, HttpError::Status(found) if found == expected));
        }
    }
}
