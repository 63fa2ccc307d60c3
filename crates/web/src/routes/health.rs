//! Is the process alive, and can it serve?

use std::net::IpAddr;
use std::time::Duration;

use actix_web::{HttpResponse, route, web};

use super::Cases;
use crate::http::client::{ClientOrigin, TrustedProxies};
use crate::http::error::ApiError;

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// Answers as long as the process lives.
#[route("/healthz", method = "GET", method = "HEAD")]
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// Answers 200 when the database can be reached, and 503 when not. Tells
/// the own network of a proxy that is not trusted.
#[route("/readyz", method = "GET", method = "HEAD")]
pub async fn ready(
    cases: Cases,
    client: ClientOrigin,
    proxies: web::Data<TrustedProxies>,
) -> Result<HttpResponse, ApiError> {
    cases
        .run_within(PATIENCE, |app| app.database.ping())
        .await?;
    let forgotten = proxies.ignored().filter(|_| is_near(client.0.ip));
    let body = match forgotten {
        Some(peer) => format!("ok\nuntrusted proxy: {peer}\n"),
        None => "ok\n".to_owned(),
    };
    Ok(HttpResponse::Ok().content_type("text/plain").body(body))
}

/// Whether an address is this machine's or one of a private network.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_network_is_near() {
        let near = |address: &str| is_near(address.parse().unwrap());
        assert!(["127.0.0.1", "10.1.2.3", "192.168.0.9", "::1", "fd00::1"].map(near) == [true; 5]);
        assert!(["203.0.113.1", "8.8.8.8", "2001:db8::1"].map(near) == [false; 3]);
    }
}
