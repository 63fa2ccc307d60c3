//! All rate limits (docs/rules.md#rate-limits). Daily caps on mails are elsewhere: they are
//! counted in the database ([`ideavault_domain::daily_caps`]).

use std::time::Duration;

use Counted::{PerAddress, PerUser};

const MINUTE: Duration = Duration::from_secs(60);
const QUARTER: Duration = Duration::from_secs(15 * 60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Something whose rate is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
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
    /// Confirmation mails that one account requests.
    ConfirmationMails,
    /// Lookups of share links.
    ShareLookup,
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
    /// Exports of one creator.
    Exports,
    /// Uploaded files.
    Uploads,
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

/// Key by which the limit of a route counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The client's address.
    PerAddress,
    /// The signed-in creator.
    PerUser,
}

impl Limit {
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
            Self::ShareLookup => (120, MINUTE),
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
            Self::Verify => (60, HOUR),
            Self::Comments => (20, MINUTE),
            Self::IdeaWrites => (120, MINUTE),
            Self::Exports | Self::Uploads | Self::Downloads => (60, HOUR),
            Self::Shares => (60, HOUR),
            Self::Search => (20, HOUR),
            Self::SearchByAnyone => (500, HOUR),
            Self::Assistant => (60, HOUR),
            Self::Waitlist => (20, HOUR),
        }
    }

    /// Returns the limit that applies to every request to a route. Limits that depend on
    /// what a request is about are applied by its handler.
    #[must_use]
    pub fn of_route(method: &str, pattern: &str) -> Option<(Self, Counted)> {
        Some(match (method, pattern) {
            ("POST", "/api/auth/login") => (Self::Login, PerAddress),
            ("POST" | "PUT" | "DELETE", "/api/auth/totp")
            | ("POST", "/api/auth/totp/recovery-codes" | "/api/auth/change-password") => {
                (Self::Credentials, PerUser)
            }
            ("POST", "/api/auth/confirm-email") => (Self::ConfirmEmail, PerAddress),
            ("POST", "/api/auth/confirm-email/resend") => (Self::ConfirmationMails, PerUser),
            ("POST", "/api/auth/register") => (Self::Register, PerAddress),
            ("POST", "/api/auth/forgot-password") => (Self::Forgot, PerAddress),
            ("POST", "/api/auth/reset-password") => (Self::Reset, PerAddress),
            ("GET" | "HEAD", "/api/share/{token}") => (Self::ShareLookup, PerAddress),
            ("GET" | "HEAD", "/api/share/{token}/download") => (Self::Downloads, PerAddress),
            ("POST", "/api/recipients/{id}/verify") => (Self::Verify, PerAddress),
            ("POST", "/api/ideas")
            | ("PUT", "/api/ideas/{id}" | "/api/ideas/{id}/publish")
            | ("PUT", "/api/shares/{id}")
            | ("DELETE", "/api/ideas/{id}" | "/api/assets/{id}") => (Self::IdeaWrites, PerUser),
            ("GET", "/api/ideas/{id}/activity.csv" | "/api/ideas/{id}/activity.json") => {
                (Self::Exports, PerUser)
            }
            ("GET", "/api/recipients/{id}/agreement.txt") => (Self::ShareLookup, PerAddress),
            ("POST", "/api/ideas/pdf" | "/api/upload/image" | "/api/profile/image") => {
                (Self::Uploads, PerAddress)
            }
            ("POST", "/api/shares") => (Self::Shares, PerAddress),
            ("POST", "/api/ai-search") => (Self::Search, PerAddress),
            ("POST", "/api/ai-writing-assistant") => (Self::Assistant, PerAddress),
            ("POST", "/api/unsubscribe/{token}") => (Self::Unsubscribe, PerAddress),
            ("POST", "/api/notices/read")
            | ("PUT", "/api/profile/notifications" | "/api/shares/{id}/notifications") => {
                (Self::Notifications, PerUser)
            }
            ("POST", "/api/waitlist") => (Self::Waitlist, PerAddress),
            _ => return None,
        })
    }
}
