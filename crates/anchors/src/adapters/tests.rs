use std::time::Duration;

use chrono::Utc;
use tokio::task::spawn_blocking;

use super::*;
use crate::calendar::build::{Path, bitcoin, pending as promise};
use crate::http::WebClient;
use crate::http::stub::{Behaviour, Request, Stub, response};

const OTS: &str = "application/vnd.opentimestamps.v1";

fn client() -> Arc<dyn HttpClient> {
    Arc::new(WebClient::new(Duration::from_secs(5)).unwrap())
}

fn digest() -> Digest {
    Digest::of(b"checkpoint")
}

fn promised() -> Path {
    Path::from(digest().as_bytes()).append(b"salt").sha256()
}

/// The proof that a calendar first sends.
fn first() -> Vec<u8> {
    promised().end(&promise("http://elsewhere.invalid"))
}

async fn calendar(
    respond: impl Fn(&Request) -> Behaviour + Send + 'static,
) -> (Stub, Arc<OtsCalendar>) {
    let stub = Stub::start(respond).await;
    let calendar = OtsCalendar::new(stub.endpoint(""), client());
    (stub, Arc::new(calendar))
}

#[tokio::test]
async fn a_promise_becomes_a_proof_of_a_block() {
    let (_stub, calendar) = calendar(|request| {
        let post = request.head.starts_with("POST /digest ");
        let body = match post {
            true => first(),
            false => Path::from(&promised().message)
                .prepend(b"a")
                .sha256()
                .end(&bitcoin(871_234)),
        };
        Behaviour::Sends(response("200 OK", OTS, &body))
    })
    .await;
    let upgraded = spawn_blocking(move || {
        let proof = calendar.submit(&digest()).unwrap();
        assert_eq!(proof, first());
        calendar.upgrade(&digest(), &proof).unwrap().unwrap()
    })
    .await
    .unwrap();
    assert_eq!(upgraded.block, 871_234);
    let proof = CalendarTimestamp::parse(&upgraded.proof, digest().as_bytes()).unwrap();
    assert_eq!(proof.attestations().count(), 1);
}

#[tokio::test]
async fn a_calendar_without_a_promise_or_a_root_is_refused() {
    let (_stub, calendar) = calendar(|request| {
        let post = request.head.starts_with("POST /digest ");
        let body = match post {
            true => promised().end(&bitcoin(1)),
            false => Path::from(&promised().message)
                .append(b"a")
                .end(&bitcoin(1)),
        };
        Behaviour::Sends(response("200 OK", OTS, &body))
    })
    .await;
    spawn_blocking(move || {
        let refused = calendar.submit(&digest());
        assert!(matches!(refused, Err(AnchorError::Refused(_))));
        let refused = calendar.upgrade(&digest(), &first());
        assert!(matches!(refused, Err(AnchorError::Refused(_))));
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_missing_answer_is_told_from_a_bad_one() {
    for (status, is_missing) in [
        ("500 Oops", true),
        ("429 Slow down", true),
        ("302 Found", false),
        ("404 Not Found", false),
        ("200 OK", false),
    ] {
        let (_stub, calendar) =
            calendar(move |_| Behaviour::Sends(response(status, OTS, b"nonsense"))).await;
        let failed = spawn_blocking(move || calendar.submit(&digest()));
        let error = failed.await.unwrap().unwrap_err();
        let found = matches!(error, AnchorError::Unavailable(_));
        assert_eq!(found, is_missing, "{status}: {error:?}");
    }
}

#[tokio::test]
async fn an_authority_that_sends_something_else_is_refused() {
    let stub =
        Stub::start(|_| Behaviour::Sends(response("200 OK", "application/timestamp-reply", b"0")))
            .await;
    let roots = Roots::from_pem(include_str!("root.pem")).unwrap();
    let authority = Rfc3161Authority::new(stub.endpoint("/tsr"), Arc::new(roots), client());
    assert_eq!(authority.name(), stub.address().to_string());
    let window = Utc::now()..=Utc::now();
    let refused = spawn_blocking(move || authority.stamp(b"data", [1; 8], &window));
    let error = refused.await.unwrap().unwrap_err();
    assert!(matches!(error, AnchorError::Refused(_)), "{error:?}");
}
