//! `ideavault health`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use ideavault_anchors::http::{EndpointError, HttpClient as _, HttpError, HttpRequest, WebClient};
use serde::Deserialize;
use thiserror::Error;

/// Timeout of the request. `/readyz` itself waits 2.5 seconds for the database.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of the response. The state of the vault has a few thousand.
const RESPONSE_MAX: usize = 256 * 1024;
const OK: u16 = 200;

/// Options of `ideavault health`.
#[derive(Args, Clone, Debug)]
pub struct HealthOptions {
    /// Address that the server listens on.
    #[arg(long, env = "IDEAVAULT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
}

/// Reasons why a server is not healthy.
#[derive(Debug, Error)]
pub enum HealthError {
    /// No server answers.
    #[error("no server of IdeaVault answers at {0}")]
    Unreachable(SocketAddr, #[source] HttpError),
    /// The address cannot be part of a URL.
    #[error("{0} cannot be asked")]
    Address(SocketAddr, #[source] EndpointError),
    /// The server says why it cannot serve.
    #[error("the server at {0} is not ready: {1}")]
    NotReady(SocketAddr, String),
    /// The response is none of `/readyz`.
    #[error("what answers at {0}, with status {1}, is not a server of IdeaVault")]
    Foreign(SocketAddr, u16),
}

#[derive(Deserialize)]
struct Readiness {
    ready: bool,
    reason: Option<String>,
}

/// The body of other errors, for instance when the database does not answer.
#[derive(Deserialize)]
struct Failure {
    message: String,
}

/// Asks the server on this machine whether it can serve.
///
/// # Errors
/// [`HealthError`] if it cannot, does not answer in time, or is another program.
pub async fn health(options: &HealthOptions) -> Result<(), HealthError> {
    let asked = reachable(options.listen);
    let unreachable = |error| HealthError::Unreachable(asked, error);
    let url = format!("http://{asked}/readyz");
    let request = HttpRequest {
        endpoint: url
            .parse()
            .map_err(|error| HealthError::Address(asked, error))?,
        accept: "application/json",
        post: None,
        response_max: RESPONSE_MAX,
    };
    let client = WebClient::without_proxy(HEALTH_TIMEOUT).map_err(unreachable)?;
    let response = client.send(request).await.map_err(unreachable)?;
    let told = serde_json::from_slice::<Readiness>(&response.body);
    match (response.status, told) {
        (OK, Ok(Readiness { ready: true, .. })) => Ok(()),
        (
            _,
            Ok(Readiness {
                ready: false,
                reason: Some(reason),
            }),
        ) => Err(HealthError::NotReady(asked, reason)),
        (status, _) => Err(match serde_json::from_slice::<Failure>(&response.body) {
            Ok(Failure { message }) => HealthError::NotReady(asked, message),
            Err(_) => HealthError::Foreign(asked, status),
        }),
    }
}

/// Returns where a server on this machine is reached that listens on that address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_loopback() {
        for (listen, asked) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("10.1.2.3:80", "10.1.2.3:80"),
        ] {
            assert_eq!(reachable(listen.parse().unwrap()), asked.parse().unwrap());
        }
    }
}
