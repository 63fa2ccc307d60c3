//! The client's address, behind trusted proxies.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::recipient::{Origin, USER_AGENT_MAX};
use ipnet::IpNet;

/// Proxies whose X-Forwarded-For is trusted.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    networks: Vec<IpNet>,
    /// First untrusted peer that sent X-Forwarded-For.
    ignored: Arc<OnceLock<IpAddr>>,
}

impl TrustedProxies {
    /// Trusts all addresses in `networks`.
    #[must_use]
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self {
            networks,
            ignored: Arc::default(),
        }
    }

    /// Returns the first untrusted peer that sent X-Forwarded-For: most likely a proxy that
    /// the operator did not configure.
    #[must_use]
    pub fn ignored(&self) -> Option<IpAddr> {
        self.ignored.get().copied()
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks
            .iter()
            .any(|network| network.contains(&address))
    }

    /// Warns once if an untrusted peer sends X-Forwarded-For.
    fn note(&self, peer: IpAddr, forwarded_for: &str) {
        if !forwarded_for.is_empty() && !self.trusts(peer) && self.ignored.set(peer).is_ok() {
            tracing::warn!(
                %peer,
                "somebody sent X-Forwarded-For who is not a trusted proxy, and is taken for the \
                 client: if this is your proxy, all clients share one rate limit and agreements \
                 record its address. Set IDEAVAULT_TRUSTED_PROXIES to it"
            );
        }
    }

    /// Returns the peer, or, behind trusted proxies, the rightmost hop that is not one.
    fn client(&self, peer: IpAddr, forwarded_for: &str) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let mut client = peer;
        for hop in forwarded_for.rsplit(',') {
            let Ok(address) = hop.trim().parse::<IpAddr>() else {
                break;
            };
            client = address.to_canonical();
            if !self.trusts(client) {
                break;
            }
        }
        client
    }
}

/// Address and browser of the client, as they are recorded.
pub struct ClientOrigin(pub Origin);

impl ClientOrigin {
    /// Determines the client of `request`.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        let text = |name| {
            request
                .headers()
                .get_all(name)
                .filter_map(|value| value.to_str().ok())
                .collect::<Vec<_>>()
                .join(",")
        };
        // Only in-memory test requests have no peer.
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| {
                peer.ip().to_canonical()
            });
        let ip = match request.app_data::<web::Data<TrustedProxies>>() {
            Some(proxies) => {
                let forwarded_for = text(header::X_FORWARDED_FOR);
                proxies.note(peer, &forwarded_for);
                proxies.client(peer, &forwarded_for)
            }
            None => peer,
        };
        let user_agent = request
            .headers()
            .get(header::USER_AGENT)
            .and_then(|value| value.to_str().ok())
            .map(|agent| agent.chars().take(USER_AGENT_MAX).collect());
        Self(Origin { ip, user_agent })
    }
}

impl FromRequest for ClientOrigin {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded_for: &str) -> String {
        TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap()])
            .client(peer.parse().unwrap(), forwarded_for)
            .to_string()
    }

    #[test]
    fn an_untrusted_peer_cannot_claim_another_address() {
        assert_eq!(client("203.0.113.1", "198.51.100.7"), "203.0.113.1");
    }

    #[test]
    fn the_rightmost_untrusted_hop_is_the_client_behind_trusted_proxies() {
        assert_eq!(
            client("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.2"),
            "198.51.100.7"
        );
        assert_eq!(client("10.0.0.1", "198.51.100.7"), "198.51.100.7");
        assert_eq!(client("10.0.0.1", ""), "10.0.0.1");
        assert_eq!(client("10.0.0.1", "198.51.100.7, garbage"), "10.0.0.1");
    }

    #[test]
    fn an_untrusted_proxy_is_noted_once() {
        let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
        let note = |peer: &str, forwarded_for| proxies.note(peer.parse().unwrap(), forwarded_for);
        note("10.0.0.1", "198.51.100.7");
        note("192.0.2.1", "");
        assert_eq!(proxies.ignored(), None);
        note("192.0.2.1", "198.51.100.7");
        note("192.0.2.2", "198.51.100.7");
        assert_eq!(proxies.ignored(), Some("192.0.2.1".parse().unwrap()));
    }
}
