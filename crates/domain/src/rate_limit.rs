//! Rate limits (`docs/rules.md#rate-limits`): how often something may happen. Daily caps on
//! mails are elsewhere: the database counts them ([`crate::daily_caps`]).

use std::time::Duration;

use crate::client_network::ClientNetwork;

const MINUTE: Duration = Duration::from_secs(60);
const QUARTER: Duration = Duration::from_secs(15 * 60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Something whose rate is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateLimit {
    /// Logins.
    Login,
    /// Failed logins to one account.
    FailedLogin,
    /// Attempts to change the credentials of one account. Somebody with a stolen session
    /// could guess the password here, and each guess costs a password hash.
    Credentials,
    /// Registrations of accounts.
    Register,
    /// Requests for a password reset.
    Forgot,
    /// Password reset mails to one address.
    ForgotByEmail,
    /// Uses of password reset links.
    Reset,
    /// Uses of confirmation links.
    ConfirmEmail,
    /// Looks at what mailed links are about.
    MailedLinks,
    /// Confirmation mails that one account requests.
    ConfirmationMails,
    /// Lookups of share links.
    ShareLookup,
    /// Documents of pages that preview a share link.
    SharePreview,
    /// Documents of the dashboard that show one creator's ideas.
    Portfolio,
    /// Lookups, registrations and closings on links that are dead, or not for this person.
    /// Guessed links and addresses count here on every route.
    ShareMiss,
    /// Networks from which recipients register on one link.
    Recipients,
    /// Registrations of recipients on one link, from one client address.
    RegistrationsByAddress,
    /// Verification codes of one link, by the hour.
    Codes,
    /// Verification codes of one link, by the day.
    CodesByDay,
    /// Verification codes of one link that one client address requests, by the hour.
    CodesByAddress,
    /// Verification codes of one link that one client address requests, by the day.
    CodesByAddressAndDay,
    /// Verification codes for one recipient.
    CodesByRecipient,
    /// Entered verification codes.
    Verify,
    /// Comments of one person.
    Comments,
    /// Changes of one creator's ideas and links.
    IdeaWrites,
    /// Looks of one creator at the evidence of ideas, which decrypt every fact.
    Evidence,
    /// Parts of the log of events. A monitor catches up with 65,536 events in 258 requests.
    PublicLog,
    /// Exports of one creator.
    Exports,
    /// Exports of everything of one creator.
    AccountExports,
    /// Uploaded files.
    Uploads,
    /// Lookups of public records.
    Records,
    /// Documents that recipients download.
    Downloads,
    /// New share links.
    Shares,
    /// Idea searches.
    Search,
    /// Idea searches of all clients that are not signed in.
    SearchByAnyone,
    /// Messages to the writing assistant.
    Assistant,
    /// Uses of unsubscribe links.
    Unsubscribe,
    /// Changes of one owner's read mark and mail settings.
    Notifications,
    /// Additions to the waitlist.
    Waitlist,
    /// Audit entries about exceeded limits, for one client address.
    RecordedRefusals,
    /// Audit entries about denials, for one client address.
    RecordedDenials,
    /// Audit entries about denials, for all clients. The database bounds those of all servers.
    RecordedDenialsOfAll,
}

impl RateLimit {
    /// Returns whether it guards a secret: a password, a code or a token. The database counts such
    /// guesses too, so that neither a restart nor another instance begins anew.
    #[must_use]
    pub fn guards_secret(self) -> bool {
        matches!(
            self,
            Self::Login
                | Self::FailedLogin
                | Self::Credentials
                | Self::Reset
                | Self::ConfirmEmail
                | Self::MailedLinks
                | Self::Verify
                | Self::Unsubscribe
                | Self::ShareMiss
        )
    }

    /// Returns whether what clients do together counts once for each network that does it,
    /// however often.
    #[must_use]
    pub fn counts_networks(self) -> bool {
        matches!(self, Self::Recipients)
    }

    /// Returns the largest number of events, and the length of a window.
    #[must_use]
    pub fn quota(self) -> (u32, Duration) {
        match self {
            Self::Login => (30, MINUTE),
            Self::FailedLogin => (10, QUARTER),
            Self::Register | Self::ConfirmEmail => (30, HOUR),
            Self::Forgot | Self::Credentials => (20, HOUR),
            Self::ForgotByEmail | Self::ConfirmationMails => (3, HOUR),
            Self::Reset => (20, HOUR),
            Self::ShareLookup | Self::SharePreview | Self::Portfolio | Self::Records => {
                (120, MINUTE)
            }
            Self::ShareMiss => (30, MINUTE),
            Self::Recipients => (120, HOUR),
            Self::RegistrationsByAddress => (30, HOUR),
            Self::Codes => (10, HOUR),
            Self::CodesByDay => (30, DAY),
            Self::CodesByAddress => (5, HOUR),
            Self::CodesByAddressAndDay => (12, DAY),
            Self::CodesByRecipient | Self::RecordedRefusals => (1, MINUTE),
            Self::RecordedDenials => (10, MINUTE),
            Self::RecordedDenialsOfAll => (120, MINUTE),
            Self::Unsubscribe => (60, MINUTE),
            Self::Notifications => (120, MINUTE),
            Self::Verify | Self::MailedLinks => (60, HOUR),
            Self::Comments => (20, MINUTE),
            Self::IdeaWrites | Self::Evidence => (120, MINUTE),
            Self::PublicLog => (600, MINUTE),
            Self::Exports | Self::Uploads | Self::Downloads => (60, HOUR),
            Self::AccountExports => (5, HOUR),
            Self::Shares => (60, HOUR),
            Self::Search => (20, HOUR),
            Self::SearchByAnyone => (500, HOUR),
            Self::Assistant => (60, HOUR),
            Self::Waitlist => (20, HOUR),
        }
    }
}

/// Key by which the events of a limit are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitKey {
    /// An account, a reader, an address.
    Of(String),
    /// A client, and what it does something to, if the limit depends on it. The networks around
    /// it are counted as well, each with the quotas of all clients that it may stand for.
    Client(ClientNetwork, Option<String>),
    /// Shared by clients, with the one of them that uses it. A part is kept for those who
    /// have used none ([`common_share`]).
    Common(String, ClientNetwork),
}

impl LimitKey {
    /// Returns the key of what is counted by itself.
    pub fn of(subject: impl ToString) -> Self {
        Self::Of(subject.to_string())
    }

    /// Returns the key of a client.
    #[must_use]
    pub fn client(network: ClientNetwork) -> Self {
        Self::Client(network, None)
    }

    /// Returns the key of what a client does to `subject`.
    pub fn client_on(network: ClientNetwork, subject: impl ToString) -> Self {
        Self::Client(network, Some(subject.to_string()))
    }

    /// Returns the key of what all clients do to `subject`, here `network`.
    pub fn common(subject: impl ToString, network: ClientNetwork) -> Self {
        Self::Common(subject.to_string(), network)
    }

    /// Returns the names of the counts, each with the number of quotas that it may take.
    #[must_use]
    pub fn counts(&self) -> Vec<(String, u32)> {
        match self {
            Self::Of(subject) | Self::Common(subject, _) => vec![(subject.clone(), 1)],
            Self::Client(network, None) => network.levels().collect(),
            Self::Client(network, Some(subject)) => network
                .levels()
                .map(|(network, quotas)| (format!("{network} {subject}"), quotas))
                .collect(),
        }
    }
}

/// Returns how much of a common quota one of those who share it may find used and still be
/// admitted: half of it, and an equal part of the other half for each respect in which it has used
/// none yet, such as account and network.
#[must_use]
pub fn common_share(most: u32, unused: &[bool]) -> u32 {
    let half = most.div_ceil(2);
    let kept = u64::from(most - half);
    let respects = unused.len().max(1) as u64;
    let new = unused.iter().filter(|unused| **unused).count() as u64;
    // Never more than `kept`, which is a u32.
    half + u32::try_from((kept * new).div_ceil(respects)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_common_quota_is_kept_for_those_who_have_used_none() {
        assert_eq!(common_share(1_000, &[false]), 500);
        assert_eq!(common_share(1_000, &[true]), 1_000);
        assert_eq!(common_share(500, &[false, false]), 250);
        assert_eq!(common_share(500, &[true, false]), 375);
        assert_eq!(common_share(500, &[true, true]), 500);
        assert_eq!(common_share(1, &[false]), 1);
        assert_eq!(common_share(u32::MAX, &[true, true]), u32::MAX);
    }

    #[test]
    fn the_networks_around_a_client_have_the_quotas_of_all_their_clients() {
        let network = ClientNetwork::of("2001:db8:1:2ff::7".parse().unwrap());
        let counts = LimitKey::client_on(network, "link").counts();
        let expected = [
            ("2001:db8:1:2ff::/64 link", 1),
            ("2001:db8:1:200::/56 link", 4),
            ("2001:db8:1::/48 link", 16),
        ];
        assert_eq!(
            counts,
            expected.map(|(name, quotas)| (name.to_owned(), quotas))
        );
        assert_eq!(LimitKey::of("ada").counts(), [("ada".to_owned(), 1)]);
    }
}
