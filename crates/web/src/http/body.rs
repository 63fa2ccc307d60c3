//! JSON bodies: typed, bounded in size and time, with errors that name the field.

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, web};
use ideavault_domain::failure::Failure;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::turns::Work;
use super::under_way::{Share, admit_body};
use super::use_cases::UseCases;

/// Time for a body to arrive (docs/rules.md#times).
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Limit of routes that take a few short fields.
pub const SMALL: usize = 4 * 1024;
/// Limit of most routes.
pub const MEDIUM: usize = 64 * 1024;
/// Limit of a conversation: 64 KiB of text in any escaping, and its frame.
pub const CONVERSATION: usize = 512 * 1024;
/// Limit of an idea's content.
pub const LARGE: usize = 8 * 1024 * 1024;

const NO_OBJECT: &str = "The request body must be a JSON object";

/// A JSON body of at most `LIMIT` bytes, counted as under way for as long as its handler has it.
pub struct JsonBody<T, const LIMIT: usize = MEDIUM>(
    pub T,
    #[expect(dead_code, reason = "counts until it is dropped")] Option<Share>,
);

impl<T: DeserializeOwned + Send + 'static, const LIMIT: usize> FromRequest for JsonBody<T, LIMIT> {
    type Error = ApiError;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let body = web::Payload::from_request(&request, payload);
        Box::pin(async move {
            // Media types are case-insensitive (RFC 9110, section 8.3.1).
            if !request
                .content_type()
                .eq_ignore_ascii_case("application/json")
            {
                return Err(ApiError::MediaType {
                    takes: "Please send application/json",
                });
            }
            let too_large =
                || Failure::TooLarge(format!("The request is larger than {} KiB", LIMIT / 1024));
            let announced = request
                .headers()
                .get(header::CONTENT_LENGTH)
                .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
            if announced.is_some_and(|length| length > LIMIT) {
                return Err(too_large().into());
            }
            // Before any of it is read: many large bodies may take their time together.
            let share = admit_body(&request, announced.unwrap_or(LIMIT))?;
            let body = body.await.map_err(|_| unreadable())?;
            let bytes = tokio::time::timeout(BODY_TIMEOUT, body.to_bytes_limited(LIMIT))
                .await
                .map_err(|_| ApiError::Slow)?
                .map_err(|_| too_large())?
                .map_err(|_| unreadable())?;
            let work = Work::of_text(bytes.len());
            if work == Work::Query {
                return parse(&bytes).map(|body| Self(body, share));
            }
            // Millions of tiny values take seconds: not on the threads that serve everybody.
            UseCases::of(&request)?
                .run(work, move |_| Ok::<_, Failure>(parse(&bytes)))
                .await?
                .map(|body| Self(body, share))
        })
    }
}

/// A [`JsonBody`] that may be left out altogether.
pub struct OptionalJsonBody<T, const LIMIT: usize = MEDIUM>(pub Option<T>);

impl<T: DeserializeOwned + Send + 'static, const LIMIT: usize> FromRequest
    for OptionalJsonBody<T, LIMIT>
{
    type Error = ApiError;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let headers = request.headers();
        let says_nothing = ![header::CONTENT_TYPE, header::TRANSFER_ENCODING]
            .iter()
            .any(|name| headers.contains_key(name))
            && headers
                .get(header::CONTENT_LENGTH)
                .is_none_or(|length| length == "0");
        if says_nothing {
            return Box::pin(std::future::ready(Ok(Self(None))));
        }
        let body = JsonBody::<T, LIMIT>::from_request(request, payload);
        Box::pin(async move { Ok(Self(Some(body.await?.0))) })
    }
}

fn unreadable() -> ApiError {
    ApiError::Malformed {
        message: "The request body could not be read".into(),
        field: None,
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // serde would also accept a list, and fill the struct by position.
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'[') {
        return Err(ApiError::Malformed {
            message: NO_OBJECT.into(),
            field: None,
        });
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // serde's message repeats the input, so only the path is reported.
        let path = error.path().to_string();
        let field = path.split(['.', '[']).next().unwrap_or_default().to_owned();
        if error.inner().is_data() && !matches!(field.as_str(), "" | "?") {
            ApiError::Malformed {
                message: format!("{field} has the wrong type"),
                field: Some(field),
            }
        } else if error.inner().is_data() {
            ApiError::Malformed {
                message: missing_field(error.inner()),
                field: None,
            }
        } else {
            ApiError::Malformed {
                message: "The request body is not valid JSON".into(),
                field: None,
            }
        }
    })?;
    json.end().map_err(|_| ApiError::Malformed {
        message: "The request body is not valid JSON".into(),
        field: None,
    })?;
    Ok(parsed)
}

/// Returns the name of a missing field. It has no path, but serde's message names it in
/// backticks, from our own types.
fn missing_field(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split_once('`'))
    {
        Some((name, _)) => format!("{name} is missing"),
        None => NO_OBJECT.into(),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::test::TestRequest;
    use actix_web::web::Data;
    use actix_web::{ResponseError as _, dev};
    use futures_util::{FutureExt as _, StreamExt as _, stream};
    use serde::Deserialize;

    use super::*;
    use crate::http::under_way::UnderWay;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Form {
        max_views: Option<i64>,
        agreed: bool,
    }

    #[actix_web::test]
    async fn a_caller_keeps_a_few_large_bodies_arriving() {
        let under_way = Data::new(UnderWay::default());
        let begin = |limit: usize| {
            let request = TestRequest::default()
                .app_data(under_way.clone())
                .insert_header(header::ContentType::json())
                .insert_header((header::CONTENT_LENGTH, limit))
                .to_http_request();
            let mut payload = dev::Payload::from(stream::pending().boxed_local());
            JsonBody::<Form, LARGE>::from_request(&request, &mut payload)
        };
        let mut arriving: Vec<_> = (0..4).map(|_| begin(LARGE)).collect();
        for body in &mut arriving {
            assert!(body.now_or_never().is_none());
        }
        let refused = begin(LARGE).now_or_never().unwrap().err().unwrap();
        assert_eq!(refused.status_code(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(begin(SMALL).now_or_never().is_none());
        arriving.pop();
        assert!(begin(LARGE).now_or_never().is_none());
    }

    fn refusal(json: &str) -> (String, Option<String>) {
        match parse::<Form>(json.as_bytes()) {
            Err(ApiError::Malformed { message, field }) => (message, field),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_wrong_type_is_reported_by_its_field_without_its_value() {
        let (message, field) = refusal(r#"{"agreed":"canary"}"#);
        assert_eq!(field.as_deref(), Some("agreed"));
        assert!(!message.contains("canary"));
        let (_, field) = refusal(r#"{"agreed":true,"maxViews":1.5}"#);
        assert_eq!(field.as_deref(), Some("maxViews"));
    }

    #[test]
    fn a_missing_field_is_named() {
        assert_eq!(refusal("{}").0, "agreed is missing");
    }

    #[test]
    fn anything_but_one_json_object_is_refused() {
        for json in [
            "",
            "{",
            "[]",
            " [null, true]",
            "null",
            "{\"agreed\":true} x",
            "\u{0}",
        ] {
            refusal(json);
        }
    }

    #[test]
    fn optional_fields_may_be_null_or_absent() {
        let form = parse::<Form>(br#"{"agreed":true,"maxViews":null}"#).unwrap();
        assert_eq!((form.max_views, form.agreed), (None, true));
    }
}
