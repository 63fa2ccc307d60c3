//! Rate limits (`docs/rules.md#rate-limits`): how often something may happen. Daily caps on
//! mails are elsewhere: the database counts them ([`crate::daily_caps`]).

use std::time::Duration;

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
    /// Registrations of recipients on one link.
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
