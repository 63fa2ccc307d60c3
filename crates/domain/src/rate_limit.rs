//! Rate limits (`docs/rules.md#rate-limits`): how often something may happen, and where that is
//! counted. A row of the table below is all that a limit says about itself.

use std::time::Duration;

use chrono::{Days, NaiveTime};

use crate::Timestamp;
use crate::client_network::ClientNetwork;

const MINUTE: Window = Window::Lasting(Duration::from_secs(60));
const QUARTER: Window = Window::Lasting(Duration::from_secs(15 * 60));
const HOUR: Window = Window::Lasting(Duration::from_secs(3600));
const DAY: Window = Window::Lasting(Duration::from_secs(24 * 3600));

/// The time in which events count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// As long, from the first event on.
    Lasting(Duration),
    /// Until midnight UTC.
    UtcDay,
}

impl Window {
    /// Returns the end of the window that an event at `now` begins.
    #[must_use]
    pub fn end(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Lasting(length) => now + length,
            Self::UtcDay => now.date_naive().and_time(NaiveTime::MIN).and_utc() + Days::new(1),
        }
    }
}

/// Where the events of a limit are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// In each server by itself, from zero at each start.
    Here,
    /// There, and in the database for all servers together, so that neither a restart nor another
    /// server begins anew. For guesses at a secret: a password, a code or a token.
    Everywhere,
    /// In the database, in the transaction that queues a mail to whatever address people name, so
    /// that nobody uses the vault as a relay. A revoked link or a deleted account gives nothing back.
    WithMail,
}

/// What a limit says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Most events in a window.
    pub most: u32,
    /// The window.
    pub window: Window,
    /// Where they are counted.
    pub counted: Counted,
}

macro_rules! limits {
    ($($(#[$doc:meta])* $limit:ident = ($most:literal, $window:expr, $counted:ident),)+) => {
        /// Something whose rate is limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RateLimit {
            $($(#[$doc])* $limit,)+
        }

        impl RateLimit {
            /// All limits.
            pub const ALL: &[Self] = &[$(Self::$limit,)+];

            /// Returns its row of the table.
            #[must_use]
            pub fn rule(self) -> Rule {
                let (most, window, counted) = match self {
                    $(Self::$limit => ($most, $window, Counted::$counted),)+
                };
                Rule { most, window, counted }
            }
        }
    };
}

limits! {
    /// Logins.
    Login = (30, MINUTE, Everywhere),
    /// Failed logins to one account.
    FailedLogin = (10, QUARTER, Everywhere),
    /// Attempts to change the credentials of one account. Somebody with a stolen session
    /// could guess the password here, and each guess costs a password hash.
    Credentials = (20, HOUR, Everywhere),
    /// Registrations of accounts.
    Register = (30, HOUR, Here),
    /// Requests for a password reset.
    Forgot = (20, HOUR, Here),
    /// Password reset mails to one address.
    ForgotByEmail = (3, HOUR, Here),
    /// Uses of password reset links.
    Reset = (20, HOUR, Everywhere),
    /// Uses of confirmation links.
    ConfirmEmail = (30, HOUR, Everywhere),
    /// Looks at what mailed links are about.
    MailedLinks = (60, HOUR, Everywhere),
    /// Confirmation mails that one account requests.
    ConfirmationMails = (3, HOUR, Here),
    /// Lookups of share links.
    ShareLookup = (120, MINUTE, Here),
    /// Documents of pages that preview a share link.
    SharePreview = (120, MINUTE, Here),
    /// Documents of the dashboard that show one creator's ideas.
    Portfolio = (120, MINUTE, Here),
    /// Lookups, registrations and closings on links that are dead, or not for this person.
    /// Guessed links and addresses count here on every route.
    ShareMiss = (30, MINUTE, Everywhere),
    /// Requests of links to what a person was shown.
    MyDocuments = (5, HOUR, Here),
    /// Such requests for one address.
    MyDocumentsByEmail = (5, HOUR, Here),
    /// Registrations of recipients on one link, from one client address.
    RegistrationsByAddress = (30, HOUR, Here),
    /// Networks from which recipients register on one link.
    Recipients = (120, HOUR, Here),
    /// Verification codes of one link that one client address requests, by the hour.
    CodesByAddress = (5, HOUR, Here),
    /// Verification codes of one link that one client address requests, by the day.
    CodesByAddressAndDay = (12, DAY, Here),
    /// Verification codes of one link, by the hour.
    Codes = (10, HOUR, Here),
    /// Verification codes of one link, by the day.
    CodesByDay = (30, DAY, Here),
    /// Verification codes for one recipient.
    CodesByRecipient = (1, MINUTE, Here),
    /// Entered verification codes.
    Verify = (60, HOUR, Everywhere),
    /// Comments of one person.
    Comments = (20, MINUTE, Here),
    /// Changes of one creator's ideas and links.
    IdeaWrites = (120, MINUTE, Here),
    /// Unsaved texts that one creator's browsers keep and discard.
    WorkingCopies = (60, MINUTE, Here),
    /// Looks of one creator at the evidence of ideas, which decrypt every fact, and at readers.
    Evidence = (120, MINUTE, Here),
    /// Parts of the log of events. A monitor catches up with 65,536 events in 258 requests.
    PublicLog = (600, MINUTE, Here),
    /// Exports of everything of one creator.
    AccountExports = (5, HOUR, Here),
    /// Exports of one creator.
    Exports = (60, HOUR, Here),
    /// Uploaded files.
    Uploads = (60, HOUR, Here),
    /// Lookups of public records.
    Records = (120, MINUTE, Here),
    /// Documents that recipients download.
    Downloads = (60, HOUR, Here),
    /// New share links.
    Shares = (60, HOUR, Here),
    /// Idea searches.
    Search = (20, HOUR, Here),
    /// Idea searches of all clients that are not signed in.
    SearchByAnyone = (500, HOUR, Here),
    /// Messages to the writing assistant.
    Assistant = (60, HOUR, Here),
    /// Uses of unsubscribe links.
    Unsubscribe = (60, MINUTE, Everywhere),
    /// Changes of one owner's read mark and mail settings.
    Notifications = (120, MINUTE, Here),
    /// Additions to the waitlist.
    Waitlist = (20, HOUR, Here),
    /// Audit entries about denials, for one client address.
    RecordedDenials = (10, MINUTE, Here),
    /// Audit entries about denials, for all clients. The database bounds those of all servers.
    RecordedDenialsOfAll = (120, MINUTE, Here),
    /// Audit entries about exceeded limits, for one client address.
    RecordedRefusals = (1, MINUTE, Here),
    /// Links that one account shares by mail.
    Invitations = (20, Window::UtcDay, WithMail),
    /// Links that all accounts share by mail.
    InvitationsOfVault = (500, Window::UtcDay, WithMail),
    /// Codes for the readers of one account's links, which never end. Each link and client has
    /// limits besides.
    CodesOfOwner = (200, Window::UtcDay, WithMail),
    /// Receipts for the readers of one account's links. Whoever agrees again gets another.
    ReceiptsOfOwner = (200, Window::UtcDay, WithMail),
    /// Mails that ask to confirm an address, for all accounts. Each account has a limit besides.
    ConfirmationsOfVault = (1_000, Window::UtcDay, WithMail),
    /// Mails with links to what persons were shown, for all. Each address has a limit besides.
    MyDocumentsOfVault = (500, Window::UtcDay, WithMail),
}

impl RateLimit {
    /// Returns whether what clients do together counts once for each network that does it,
    /// however often.
    #[must_use]
    pub fn counts_networks(self) -> bool {
        matches!(self, Self::Recipients)
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
    /// What many use together, and who of them does now, in each respect in which they are told
    /// apart. A part is kept for those who have used none ([`common_share`]).
    Common(String, Vec<String>),
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
        Self::Common(subject.to_string(), vec![network.widest()])
    }

    /// Returns the key of what all accounts do together, here `account` from `network`.
    pub fn of_accounts(account: impl ToString, network: ClientNetwork) -> Self {
        Self::Common(String::new(), vec![account.to_string(), network.widest()])
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

    /// Returns the names of the counts under a limit, each with how much it may have; none if
    /// `scale`, by which every limit is multiplied, turns them off.
    #[must_use]
    pub fn limits(&self, limit: RateLimit, scale: f64) -> Vec<(String, u32)> {
        let most = limit.rule().most;
        let counts = self
            .counts()
            .into_iter()
            .filter_map(|(name, quotas)| Some((name, scaled(most.saturating_mul(quotas), scale)?)));
        counts.collect()
    }

    /// Returns the names of the counts that tell who has used some of what many use together.
    #[must_use]
    pub fn users(&self) -> Vec<String> {
        match self {
            Self::Of(_) | Self::Client(..) => Vec::new(),
            Self::Common(subject, users) => users
                .iter()
                .map(|user| format!("{subject} {user}"))
                .collect(),
        }
    }
}

/// Keyed hash of a limit and the name of a count, as the database has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountKey([u8; 32]);

impl CountKey {
    /// Wraps a hash.
    #[must_use]
    pub fn from_bytes(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// Returns the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// How many events a key may have in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountLimit {
    /// The key whose events are counted.
    pub key: CountKey,
    /// Most events.
    pub most: u32,
}

/// Returns a limit multiplied by `scale` and rounded up; `None` if that turns it off.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a product that is too large becomes the largest number, none is negative"
)]
fn scaled(most: u32, scale: f64) -> Option<u32> {
    (scale > 0.0).then(|| (f64::from(most) * scale).ceil() as u32)
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
    fn the_scale_multiplies_limits_and_zero_disables_them() {
        assert_eq!(scaled(20, 1.0), Some(20));
        assert_eq!(scaled(20, 0.12), Some(3));
        assert_eq!(scaled(20, 0.001), Some(1));
        assert_eq!(scaled(20, 1e12), Some(u32::MAX));
        assert_eq!(scaled(20, 0.0), None);
    }

    #[test]
    fn a_day_ends_at_midnight_utc() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let ends = |text| Window::UtcDay.end(at(text));
        let midnight = at("2026-11-23T00:00:00Z");
        assert_eq!(ends("2026-11-22T00:00:00Z"), midnight);
        assert_eq!(ends("2026-11-22T23:59:59.999999Z"), midnight);
        assert_eq!(ends("2026-11-23T00:00:00Z"), at("2026-11-24T00:00:00Z"));
    }

    #[test]
    fn the_documented_limits_are_these() {
        let rules = include_str!("../../../docs/rules.md");
        let begin = rules.find("<a id=\"rate-limits\">").unwrap();
        let end = rules.find("<a id=\"turns\">").unwrap();
        let documented: Vec<_> = rules[begin..end]
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .map(|row| {
                let columns: Vec<_> = row.split(" | ").collect();
                let name = columns[0].split('`').next().unwrap();
                let quota = columns[1].split(", ").next().unwrap().replace(',', "");
                (name.to_owned(), quota, columns[3].trim_end_matches(" |"))
            })
            .collect();
        let limits = RateLimit::ALL.iter().map(|limit| {
            let Rule {
                most,
                window,
                counted,
            } = limit.rule();
            let window = match window {
                MINUTE => "a minute",
                QUARTER => "in 15 minutes",
                HOUR => "an hour",
                DAY | Window::UtcDay => "a day",
                Window::Lasting(other) => panic!("{other:?}"),
            };
            let counted = match counted {
                Counted::Here => "server",
                Counted::Everywhere => "server and database",
                Counted::WithMail => "database",
            };
            (format!("{limit:?}"), format!("{most} {window}"), counted)
        });
        assert_eq!(documented, limits.collect::<Vec<_>>());
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
