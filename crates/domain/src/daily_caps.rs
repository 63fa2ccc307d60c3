//! Caps on the mails that people can have sent to any address, counted in the database
//! (`docs/rules.md#daily-caps`). They keep the vault from being used as a mail relay, so
//! that neither a restart nor another instance may begin the count anew.

use chrono::{Duration, NaiveTime};

use crate::Timestamp;
use crate::client_network::ClientNetwork;
use crate::ids::UserId;

/// Mails that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CappedMails {
    /// Links that one account shares by mail.
    Invitations(UserId),
    /// Links that all accounts share by mail; here that account.
    InvitationsOfVault(UserId),
    /// Codes for the readers of one account's links, which never end. Each link and client
    /// has limits besides.
    CodesOfOwner(UserId),
    /// Receipts for the readers of one account's links. Whoever agrees again gets another.
    ReceiptsOfOwner(UserId),
    /// Mails that ask to confirm an address, for all accounts. Each account has a limit
    /// besides.
    ConfirmationsOfVault,
}

impl CappedMails {
    /// Returns the name used in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invitations(_) => "invitations",
            Self::InvitationsOfVault(_) => "invitations-of-vault",
            Self::CodesOfOwner(_) => "codes-of-owner",
            Self::ReceiptsOfOwner(_) => "receipts-of-owner",
            Self::ConfirmationsOfVault => "confirmations-of-vault",
        }
    }

    /// Returns the account that they are counted for, unless all count together.
    #[must_use]
    pub fn account(self) -> Option<UserId> {
        match self {
            Self::Invitations(account)
            | Self::CodesOfOwner(account)
            | Self::ReceiptsOfOwner(account) => Some(account),
            Self::InvitationsOfVault(_) | Self::ConfirmationsOfVault => None,
        }
    }

    /// Returns the names under which `client` shares the cap with others: none if it is the cap of
    /// one account alone.
    #[must_use]
    pub fn sharers(self, client: ClientNetwork) -> Vec<String> {
        match self {
            Self::Invitations(_) => Vec::new(),
            Self::InvitationsOfVault(account) => vec![account.to_string(), client.widest()],
            Self::CodesOfOwner(_) | Self::ReceiptsOfOwner(_) | Self::ConfirmationsOfVault => {
                vec![client.widest()]
            }
        }
    }

    fn most(self) -> u32 {
        match self {
            Self::Invitations(_) => 20,
            Self::InvitationsOfVault(_) => 500,
            Self::CodesOfOwner(_) | Self::ReceiptsOfOwner(_) => 200,
            Self::ConfirmationsOfVault => 1_000,
        }
    }
}

/// The caps of one server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DailyCaps {
    scale: f64,
}

impl DailyCaps {
    /// Multiplies all caps by `scale`; zero turns them off.
    #[must_use]
    pub fn scaled(scale: f64) -> Self {
        Self { scale }
    }

    /// Returns how many of these mails may be sent on a day; `None` for any number.
    #[must_use]
    pub fn most(self, mails: CappedMails) -> Option<u32> {
        scaled(mails.most(), self.scale)
    }
}

/// Returns a limit multiplied by `scale` and rounded up; `None` if that turns it off.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a product that is too large becomes the largest number, none is negative"
)]
pub fn scaled(most: u32, scale: f64) -> Option<u32> {
    (scale > 0.0).then(|| (f64::from(most) * scale).ceil() as u32)
}

/// Returns the end of the UTC day of `at`.
#[must_use]
pub fn end_of_day(at: Timestamp) -> Timestamp {
    at.date_naive().and_time(NaiveTime::MIN).and_utc() + Duration::days(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_multiplies_caps_and_zero_disables_them() {
        let of_one = CappedMails::Invitations(UserId::from_random([1; 16]));
        let caps = |scale| DailyCaps::scaled(scale).most(of_one);
        assert_eq!(caps(1.0), Some(20));
        assert_eq!(caps(0.12), Some(3));
        assert_eq!(caps(0.001), Some(1));
        assert_eq!(caps(1e12), Some(u32::MAX));
        assert_eq!(caps(0.0), None);
    }

    #[test]
    fn a_day_ends_at_midnight_utc() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let midnight = at("2026-11-23T00:00:00Z");
        assert_eq!(end_of_day(at("2026-11-22T00:00:00Z")), midnight);
        assert_eq!(end_of_day(at("2026-11-22T23:59:59.999999Z")), midnight);
        assert_eq!(end_of_day(midnight), at("2026-11-24T00:00:00Z"));
    }
}
