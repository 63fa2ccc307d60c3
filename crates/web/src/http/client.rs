//! Where a request comes from.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::recipient::{Origin, USER_AGENT_MAX};
use ipnet::IpNet;

/// Proxies whose X-Forwarded-For counts.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(pub Vec<IpNet>);

impl TrustedProxies {
    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The peer, unless it is a trusted proxy: then the rightmost hop that is not.
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

/// The client's address and browser, for the record.
pub struct ClientOrigin(pub Origin);

impl ClientOrigin {
    /// Where `request` comes from.
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
        // Only requests made up in memory have no peer.
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| {
                peer.ip().to_canonical()
            });
        let ip = match request.app_data::<web::Data<TrustedProxies>>() {
            Some(proxies) => proxies.client(peer, &text(header::X_FORWARDED_FOR)),
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
        TrustedProxies(vec!["10.0.0.0/8".parse().unwrap()])
            .client(peer.parse().unwrap(), forwarded_for)
            .to_string()
    }

    #[test]
    fn a_stranger_cannot_claim_another_address() {
        assert_eq!(client("203.0.113.1", "198.51.100.7"), "203.0.113.1");
    }

    #[test]
    fn behind_trusted_proxies_the_rightmost_untrusted_hop_counts() {
        assert_eq!(
            client("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.2"),
            "198.51.100.7"
        );
        assert_eq!(client("10.0.0.1", "198.51.100.7"), "198.51.100.7");
        assert_eq!(client("10.0.0.1", ""), "10.0.0.1");
        assert_eq!(client("10.0.0.1", "198.51.100.7, garbage"), "10.0.0.1");
    }
}
