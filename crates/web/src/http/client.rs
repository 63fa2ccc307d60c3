//! The client's address, behind trusted proxies.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::recipient::{Origin, USER_AGENT_MAX};
use ipnet::IpNet;

/// Characters of an unreadable hop that are logged.
const UNREADABLE_MAX: usize = 64;

/// Proxies whose X-Forwarded-For is trusted.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    networks: Vec<IpNet>,
    /// First untrusted peer that sent X-Forwarded-For.
    ignored: Arc<OnceLock<IpAddr>>,
    /// First hop that a trusted proxy sent and that cannot be read.
    unreadable: Arc<OnceLock<String>>,
}

impl TrustedProxies {
    /// Trusts all addresses in `networks`.
    #[must_use]
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self {
            networks,
            ignored: Arc::default(),
            unreadable: Arc::default(),
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

    /// Warns once if a trusted proxy sends what cannot be read.
    fn note_unreadable(&self, hop: &str) {
        let hop: String = hop.chars().take(UNREADABLE_MAX).collect();
        if self.unreadable.set(hop.clone()).is_ok() {
            tracing::warn!(
                ?hop,
                "a trusted proxy sent an X-Forwarded-For that cannot be read, and is taken for the \
                 client: clients share one rate limit and agreements record its address. Have it \
                 send addresses"
            );
        }
    }

    /// Returns the peer, or, behind trusted proxies, the rightmost hop that is not one.
    fn client(&self, peer: IpAddr, forwarded_for: &str) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let mut client = peer;
        for hop in forwarded_for.rsplit(',').map(str::trim) {
            if hop.is_empty() {
                continue;
            }
            let Some(address) = address(hop) else {
                self.note_unreadable(hop);
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

/// Returns the address of a hop, which proxies write with or without the port, brackets around
/// IPv6, a zone and quotes.
fn address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim_matches('"');
    let (host, port) = match hop.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            (
                host,
                port.strip_prefix(':').or(port.is_empty().then_some("0"))?,
            )
        }
        None => match hop.split_once(':') {
            Some((host, port)) if !port.contains(':') => (host, port),
            _ => (hop, "0"),
        },
    };
    port.parse::<u16>().ok()?;
    let host = host.split_once('%').map_or(host, |(host, _zone)| host);
    host.parse().ok()
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
                .map(|value| String::from_utf8_lossy(value.as_bytes()))
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
    fn a_hop_has_a_port_brackets_or_a_zone() {
        for (forwarded_for, address) in [
            ("203.0.113.9", "203.0.113.9"),
            ("203.0.113.9:51234", "203.0.113.9"),
            ("198.51.100.4, 203.0.113.9:51234", "203.0.113.9"),
            ("203.0.113.9:51234, 10.0.0.2:443", "203.0.113.9"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("[2001:db8::7]:51234", "2001:db8::7"),
            ("\"[2001:db8::7]:51234\"", "2001:db8::7"),
            ("fe80::1%eth0", "fe80::1"),
            ("[fe80::1%25eth0]:443", "fe80::1"),
            ("[::ffff:203.0.113.9]:443", "203.0.113.9"),
            ("203.0.113.9, ,", "203.0.113.9"),
        ] {
            assert_eq!(client("10.0.0.1", forwarded_for), address);
        }
    }

    #[test]
    fn an_unreadable_hop_is_noted_once_and_stands_for_nobody() {
        for hop in [
            "unknown",
            "_hidden",
            "[2001:db8::7",
            "[2001:db8::7]x",
            "203.0.113.9:",
            "203.0.113.9:99999",
            "203.0.113.9.1",
            "client.example:80",
            "\u{fffd}",
        ] {
            let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
            let client = |header: &str| proxies.client("10.0.0.1".parse().unwrap(), header);
            assert_eq!(client("").to_string(), "10.0.0.1");
            assert_eq!(proxies.unreadable.get(), None);
            let header = format!("198.51.100.7, {hop}, 10.0.0.2");
            assert_eq!(client(&header).to_string(), "10.0.0.2");
            assert_eq!(client("198.51.100.7, other").to_string(), "10.0.0.1");
            assert_eq!(proxies.unreadable.get().map(String::as_str), Some(hop));
        }
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
