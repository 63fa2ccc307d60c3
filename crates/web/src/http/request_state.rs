//! State of one request, for its use cases: who sent it, how long they have taken, and the version
//! of the data that they read.

use std::cell::{Cell, OnceCell};
use std::time::Duration;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use ideavault_db::DataVersion;

use super::callers::Caller;
use super::client::ClientOrigin;

tokio::task_local! {
    static REQUEST: RequestState;
}

/// State shared by the use cases of one request.
struct RequestState {
    /// The client's network.
    client: Caller,
    /// How long they have taken.
    waited: Cell<Duration>,
    /// The version of the data that was read first.
    version: OnceCell<DataVersion>,
}

impl RequestState {
    fn of(client: Caller) -> Self {
        Self {
            client,
            waited: Cell::default(),
            version: OnceCell::new(),
        }
    }
}

/// Gives a request one timeout for all its use cases together: the session, the route and what
/// follows. What it takes besides, such as receiving a body, does not count.
///
/// # Errors
/// Those of the request.
pub async fn with_one_timeout(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let client = Caller::network(ClientOrigin::of(request.request()).0.network());
    REQUEST
        .scope(RequestState::of(client), next.call(request))
        .await
}

/// Returns the network of the client of this request; the server itself outside of requests.
pub(super) fn client() -> Caller {
    let client = REQUEST.try_with(|request| request.client.clone());
    client.unwrap_or_else(|_| Caller::server())
}

/// Returns how long the use cases of this request have taken; nothing outside of requests.
pub(super) fn waited() -> Duration {
    let waited = REQUEST.try_with(|request| request.waited.get());
    waited.unwrap_or_default()
}

/// Adds to the time that the use cases of this request have taken.
pub(super) fn add_to_waited(time: Duration) {
    // Work after a response belongs to no request, and has its own timeout.
    let added = REQUEST.try_with(|RequestState { waited, .. }| {
        waited.set(waited.get().saturating_add(time));
    });
    if added.is_err() {
        tracing::trace!("a use case ran outside of a request");
    }
}

/// Returns the version of the data that this request has read; none outside of requests.
pub(super) fn version_read() -> Option<DataVersion> {
    let version = REQUEST.try_with(|request| request.version.get().cloned());
    version.ok().flatten()
}

/// Records the version that this request has read, unless it had read one before.
pub(super) fn record_version(version: DataVersion) {
    let recorded = REQUEST.try_with(|request| {
        request.version.get_or_init(|| version);
    });
    if recorded.is_err() {
        tracing::trace!("a version was read outside of a request");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::REQUEST_TIMEOUT;

    #[tokio::test]
    async fn the_use_cases_of_a_request_share_its_timeout() {
        let seconds = Duration::from_secs;
        let in_request = REQUEST.scope(RequestState::of(Caller::server()), async {
            assert_eq!(waited(), Duration::ZERO);
            add_to_waited(seconds(3));
            add_to_waited(seconds(4));
            assert_eq!(REQUEST_TIMEOUT.saturating_sub(waited()), seconds(1));
            add_to_waited(seconds(4));
            assert_eq!(REQUEST_TIMEOUT.saturating_sub(waited()), Duration::ZERO);
        });
        in_request.await;
        // Another request begins anew, and so does what belongs to none.
        add_to_waited(seconds(4));
        assert_eq!(waited(), Duration::ZERO);
    }
}
