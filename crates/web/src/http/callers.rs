//! Callers, and how much each has of what all of them use together.

use std::collections::HashMap;
use std::sync::Arc;

use ideavault_domain::client_network::ClientNetwork;
use ideavault_domain::ids::UserId;
use ideavault_domain::rate_limit::common_share;

/// Who calls: an account, a client's network if nobody is signed in, or the server itself.
#[derive(Clone, Debug)]
pub struct Caller {
    name: Arc<str>,
    network: Arc<str>,
}

impl Caller {
    /// Returns an account that calls from a network.
    #[must_use]
    pub fn account(user: UserId, network: ClientNetwork) -> Self {
        Self {
            name: user.to_string().into(),
            network: network.widest().into(),
        }
    }

    /// Returns the network of a client that is not signed in. Of IPv6 it is the widest that may
    /// belong to one customer, who would otherwise be thousands of callers.
    #[must_use]
    pub fn network(network: ClientNetwork) -> Self {
        Self::named(&network.widest())
    }

    /// Returns the server itself.
    #[must_use]
    pub fn server() -> Self {
        Self::named("server")
    }

    pub(crate) fn named(name: &str) -> Self {
        let name: Arc<str> = name.into();
        Self {
            network: Arc::clone(&name),
            name,
        }
    }

    /// Returns the account; the network of who is not signed in.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the account, if there is one, and the network.
    fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        let account = (self.name != self.network).then_some(&self.name);
        account.into_iter().chain([&self.network])
    }
}

/// How much is taken of something, in all and by each account and network.
#[derive(Debug, Default)]
pub(super) struct Amounts {
    in_all: u32,
    of: HashMap<Arc<str>, u32>,
}

/// Why a caller gets nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The rest is for accounts or networks that have none.
    HasSome,
    /// Everything is taken.
    AllTaken,
}

impl Amounts {
    pub(super) fn in_all(&self) -> u32 {
        self.in_all
    }

    /// Returns how much a caller has.
    pub(super) fn of(&self, caller: &Caller) -> u32 {
        self.of_name(caller.name())
    }

    fn of_name(&self, name: &str) -> u32 {
        self.of.get(name).copied().unwrap_or(0)
    }

    /// Gives `amount` to a caller, of `most` in all: half of them to whoever comes, the rest to
    /// accounts and networks that have none ([`common_share`]).
    pub(super) fn add(&mut self, caller: &Caller, amount: u32, most: u32) -> Result<(), Refused> {
        let unused: Vec<_> = caller.names().map(|name| self.of_name(name) == 0).collect();
        let in_all = self.in_all.saturating_add(amount);
        if in_all > common_share(most, &unused) {
            return Err(match unused.iter().all(|unused| *unused) {
                true => Refused::AllTaken,
                false => Refused::HasSome,
            });
        }
        self.in_all = in_all;
        for name in caller.names() {
            *self.of.entry(Arc::clone(name)).or_default() += amount;
        }
        Ok(())
    }

    /// Takes back what was given.
    pub(super) fn subtract(&mut self, caller: &Caller, amount: u32) {
        self.in_all -= amount;
        for name in caller.names() {
            if let Some(taken) = self.of.get_mut(name) {
                *taken -= amount;
                if *taken == 0 {
                    self.of.remove(name);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns an account that calls from a network.
    pub(in crate::http) fn account(nth: u8, network: &str) -> Caller {
        let user = UserId::from_random([nth; 16]);
        Caller::account(user, ClientNetwork::of(network.parse().unwrap()))
    }

    fn network(address: &str) -> Caller {
        Caller::network(ClientNetwork::of(address.parse().unwrap()))
    }

    #[test]
    fn one_customer_is_one_caller() {
        let same = |one: &str, other: &str| network(one).name() == network(other).name();
        assert!(same("2001:db8:1:2::1", "2001:db8:1:ffff::1"));
        assert!(!same("2001:db8:1::1", "2001:db8:2::1"));
        assert!(!same("203.0.113.7", "203.0.113.8"));
    }

    #[test]
    fn many_accounts_of_a_network_leave_some_for_other_networks() {
        let mut amounts = Amounts::default();
        let admitted = (0..20).filter(|nth| {
            let account = account(*nth, "203.0.113.7");
            amounts.add(&account, 1, 16).is_ok()
        });
        assert_eq!(admitted.count(), 12);
        let refused = amounts.add(&network("203.0.113.7"), 1, 16);
        assert_eq!(refused, Err(Refused::HasSome));
        amounts.add(&account(30, "198.51.100.1"), 1, 16).unwrap();
        // It goes on by half of all.
        let more = amounts.add(&account(30, "198.51.100.1"), 1, 16);
        assert_eq!(more, Err(Refused::HasSome));
        for nth in 1..=3 {
            amounts
                .add(&network(&format!("192.0.2.{nth}")), 1, 16)
                .unwrap();
        }
        let refused = amounts.add(&account(31, "192.0.2.9"), 1, 16);
        assert_eq!(refused, Err(Refused::AllTaken));
    }

    #[test]
    fn what_is_given_back_is_forgotten() {
        let mut amounts = Amounts::default();
        let (ada, bob) = (account(1, "203.0.113.7"), network("203.0.113.7"));
        amounts.add(&ada, 3, 16).unwrap();
        amounts.add(&bob, 2, 16).unwrap();
        assert_eq!((amounts.of(&ada), amounts.of(&bob)), (3, 5));
        amounts.subtract(&ada, 3);
        assert_eq!((amounts.of(&ada), amounts.of(&bob)), (0, 2));
        amounts.subtract(&bob, 2);
        assert_eq!(amounts.in_all(), 0);
        assert!(amounts.of.is_empty());
    }
}
