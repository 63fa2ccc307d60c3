//! The networks of a client, by which limits count it (`docs/rules.md#rate-limits`).

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Networks of IPv6 that belong to one customer, the smallest first, and how many clients each may
/// stand for: one subnet, a household, a company. An IPv4 address stands for itself.
const LEVELS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// How many networks a client belongs to, at most.
pub const CLIENT_LEVELS: usize = LEVELS.len();

/// The network of a client: one IPv4 address, or a /64 of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// Returns the network of an address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self(address.to_canonical())
    }

    /// Returns the network and the wider ones around it, each with the number of clients that it
    /// may stand for.
    pub fn levels(self) -> impl Iterator<Item = (String, u32)> {
        let levels = match self.0 {
            IpAddr::V4(_) => LEVELS.get(..1),
            IpAddr::V6(_) => LEVELS.get(..),
        };
        let levels = levels.unwrap_or_default().iter();
        levels.map(move |(prefix, clients)| (self.within(*prefix), *clients))
    }

    /// Returns the widest network that may belong to one customer.
    #[must_use]
    pub fn widest(self) -> String {
        self.levels()
            .last()
            .map_or_else(String::new, |(network, _)| network)
    }

    fn within(self, prefix: u8) -> String {
        match self.0 {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let mask = u128::MAX << (128 - u32::from(prefix));
                let network = Ipv6Addr::from_bits(address.to_bits() & mask);
                format!("{network}/{prefix}")
            }
        }
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.within(64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> ClientNetwork {
        ClientNetwork::of(text.parse().unwrap())
    }

    fn levels(text: &str) -> Vec<(String, u32)> {
        network(text).levels().collect()
    }

    #[test]
    fn a_client_is_an_address_or_a_whole_ipv6_network() {
        let shown = |text| network(text).to_string();
        assert_eq!(shown("203.0.113.7"), "203.0.113.7");
        assert_eq!(shown("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(shown("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(shown("2001:db8:1:2::"), shown("2001:db8:1:2:ffff::1"));
        assert_ne!(shown("2001:db8:1:2::1"), shown("2001:db8:1:3::1"));
    }

    #[test]
    fn the_networks_around_an_ipv6_client_stand_for_more_clients() {
        let expected = [
            ("2001:db8:1:2ff::/64", 1),
            ("2001:db8:1:200::/56", 4),
            ("2001:db8:1::/48", 16),
        ];
        let expected = expected.map(|(network, clients)| (network.to_owned(), clients));
        assert_eq!(levels("2001:db8:1:2ff::7"), expected);
        assert_eq!(network("2001:db8:1:2ff::7").widest(), "2001:db8:1::/48");
        assert_eq!(levels("203.0.113.7"), [("203.0.113.7".to_owned(), 1)]);
        assert_eq!(network("203.0.113.7").widest(), "203.0.113.7");
    }
}
