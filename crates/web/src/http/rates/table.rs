//! All limits on how often something may be done (design section 4, Limits).

use std::time::Duration;

use Counted::{PerAddress, PerUser};

const MINUTE: Duration = Duration::from_secs(60);
const QUARTER: Duration = Duration::from_secs(15 * 60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Something that may not be done at any rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Attempts to sign in.
    Login,
    /// Attempts to sign in to one account that failed.
    FailedLogin,
    /// Changes to how one account is signed in to, and attempts at them: who has
    /// taken a session over would guess the password there, and each guess costs
    /// as much as a login.
    Credentials,
    /// Sign-ups.
    Register,
    /// Mails that are asked for by whoever forgot a password.
    Forgot,
    /// Such mails to one address.
    ForgotByEmail,
    /// Attempts to set a new password with a mailed link.
    Reset,
    /// Attempts to confirm an address with a mailed link.
    ConfirmEmail,
    /// Such links that one account asks for.
    ConfirmationMails,
    /// Look-ups of share links.
    ShareLookup,
    /// Links that were looked up, registered on or closed, and that are dead or not
    /// for whoever did. Made-up links and addresses fall below it, whichever way
    /// they are tried.
    ShareMiss,
    /// Recipients who register on one link.
    Recipients,
    /// The same, from one address.
    RegistrationsByAddress,
    /// Codes that one link mails to its address.
    Codes,
    /// The same, over a longer time.
    CodesByDay,
    /// Codes that one link mails because one address asks.
    CodesByAddress,
    /// The same, over a longer time.
    CodesByAddressAndDay,
    /// Codes that one recipient is mailed.
    CodesByRecipient,
    /// Attempts to enter a code.
    Verify,
    /// Comments by one person.
    Comments,
    /// Changes to one creator's ideas and links.
    IdeaWrites,
    /// Exports of one creator.
    Exports,
    /// Files.
    Uploads,
    /// Documents that readers download.
    Downloads,
    /// New share links.
    Shares,
    /// Mails that invite to a share, for one account.
    Invitations,
    /// The same, for the whole vault.
    InvitationsOfVault,
    /// Idea searches.
    Search,
    /// The same, by all who are not signed in together.
    SearchByAnyone,
    /// Questions to the writing assistant.
    Assistant,
    /// Links in mails that stop them.
    Unsubscribe,
    /// Changes to what one owner has seen of notices, and to when mails come.
    Notifications,
    /// Entries into the waitlist.
    Waitlist,
    /// Entries into the audit trail that somebody asked too often.
    RecordedRefusals,
    /// Denials that are recorded, for one client address.
    RecordedDenials,
}

/// By what requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The client's address.
    PerAddress,
    /// The signed-in creator.
    PerUser,
}

impl Limit {
    /// How many, in what time.
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
            Self::Invitations => (20, DAY),
            Self::InvitationsOfVault => (500, DAY),
            Self::Search => (20, HOUR),
            Self::SearchByAnyone => (500, HOUR),
            Self::Assistant => (60, HOUR),
            Self::Waitlist => (20, HOUR),
        }
    }

    /// The limit of a route, on every request to it. What is limited by what a
    /// request turns out to be about, its handler counts.
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
