use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::stub::{Behaviour, Stub, response};
use super::*;

fn client() -> WebClient {
    WebClient::new(TIMEOUT).unwrap()
}

fn post(endpoint: Endpoint) -> HttpRequest<'static> {
    HttpRequest {
        endpoint,
        accept: "application/timestamp-reply",
        post: Some(("application/timestamp-query", b"question")),
        response_max: 64 * 1024,
    }
}

/// All texts of an error and its causes.
fn texts(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| Error::source(*error));
    causes.map(|error| format!("{error} {error:?} ")).collect()
}

#[tokio::test]
async fn a_request_carries_type_and_body_and_the_response_is_read() {
    let seen = Arc::new(Mutex::new(None));
    let log = Arc::clone(&seen);
    let stub = Stub::start(move |request| {
        *log.lock().unwrap() = Some(request.clone());
        Behaviour::Sends(response("200 OK", "Application/X-Y; charset=x", b"reply"))
    })
    .await;
    let got = client()
        .send(post(stub.endpoint("/tsa?v=1")))
        .await
        .unwrap();
    assert_eq!(
        got,
        HttpResponse {
            status: 200,
            media_type: Some("application/x-y".into()),
            body: b"reply".to_vec(),
        }
    );
    let request = seen.lock().unwrap().take().unwrap();
    assert!(request.head.starts_with("POST /tsa?v=1 HTTP/1.1\r\n"));
    let head = request.head.to_lowercase();
    assert!(head.contains("content-type: application/timestamp-query"));
    assert!(head.contains("accept: application/timestamp-reply"));
    assert_eq!(request.body, b"question");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&elsewhere);
    let other = Stub::start(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Behaviour::Sends(response("200 OK", "text/plain", b"no"))
    })
    .await;
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let target = other.address();
        let stub = Stub::start(move |_| {
            let head = format!(
                "HTTP/1.1 {status}\r\nLocation: http://{target}/\r\nContent-Length: 0\r\n\r\n"
            );
            Behaviour::Sends(head.into_bytes())
        })
        .await;
        let got = client().send(post(stub.endpoint("/"))).await.unwrap();
        assert!(status.starts_with(&got.status.to_string()));
    }
    assert_eq!(elsewhere.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_response_is_read_up_to_the_limit() {
    let stub =
        Stub::start(|_| Behaviour::Sends(response("200 OK", "text/plain", &vec![b'x'; 64 * 1024])))
            .await;
    let got = client().send(post(stub.endpoint("/"))).await.unwrap();
    assert_eq!(got.body.len(), 64 * 1024);

    let stub = Stub::start(|_| {
        Behaviour::Sends(response("200 OK", "text/plain", &vec![b'x'; 64 * 1024 + 1]))
    })
    .await;
    let error = client().send(post(stub.endpoint("/"))).await.unwrap_err();
    assert!(matches!(error, HttpError::TooLarge(65_536)), "{error:?}");
}

#[tokio::test]
async fn an_endless_response_is_cut() {
    for head in [
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
    ] {
        let stub = Stub::start(move |_| Behaviour::NeverEnds(head.into())).await;
        let error = client().send(post(stub.endpoint("/"))).await.unwrap_err();
        assert!(matches!(error, HttpError::TooLarge(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_slow_server_times_out_before_and_within_the_response() {
    let impatient = WebClient::new(Duration::from_millis(300)).unwrap();
    for sent in [
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
    ] {
        let stub = Stub::start(move |_| Behaviour::Stalls(sent.into())).await;
        let error = impatient.send(post(stub.endpoint("/"))).await.unwrap_err();
        assert!(matches!(error, HttpError::TimedOut), "{sent}: {error:?}");
    }
}

#[tokio::test]
async fn no_error_tells_the_address() {
    let stub = Stub::start(|_| Behaviour::Sends(b"nonsense\r\n\r\n".to_vec())).await;
    for address in [
        format!("http://user:secret@{}/hidden?k=hidden", stub.address()),
        "http://user:secret@127.0.0.1:1/hidden?k=hidden".to_owned(),
    ] {
        let endpoint: Endpoint = address.parse().unwrap();
        assert!(!format!("{endpoint:?}").contains("secret"));
        let error = client().send(post(endpoint)).await.unwrap_err();
        let texts = texts(&error);
        assert!(!texts.contains("secret"), "{texts}");
        assert!(!texts.contains("hidden"), "{texts}");
    }
}

#[test]
fn an_endpoint_is_an_http_address_with_a_host() {
    for (text, expected) in [
        ("ftp://tsa.example/", EndpointError::Scheme),
        ("file:///etc/passwd", EndpointError::Scheme),
        ("tsa.example", EndpointError::NotAnAddress),
        ("http://", EndpointError::NotAnAddress),
        ("https://tsa.example/#x", EndpointError::Fragment),
    ] {
        assert_eq!(text.parse::<Endpoint>(), Err(expected), "{text}");
    }
    let long = format!("http://tsa.example/{}", "x".repeat(2000));
    assert_eq!(long.parse::<Endpoint>(), Err(EndpointError::NotAnAddress));
    let endpoint: Endpoint = "http://u:p@tsa.example:8080/x".parse().unwrap();
    assert_eq!(endpoint.host(), "tsa.example:8080");
}

#[test]
fn segments_are_appended_to_the_path() {
    for base in [
        "https://c.example",
        "https://c.example/",
        "https://c.example/a/",
    ] {
        let endpoint: Endpoint = base.parse().unwrap();
        let joined = endpoint.join(&["timestamp", "ab/../cd"]).0;
        let base = base.trim_end_matches('/');
        assert_eq!(joined.as_str(), format!("{base}/timestamp/ab%2F..%2Fcd"));
    }
}
