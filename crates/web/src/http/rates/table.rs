//! Which rate limit applies to which route.

use ideavault_domain::rate_limit::RateLimit;

use Counted::{PerAddress, PerUser};

/// Where the files of each log are, such as `/log1`.
pub const PUBLIC_LOG: &str = "/log{log:[1-9][0-9]{0,8}}";

/// Key by which the limit of a route counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The client's address.
    PerAddress,
    /// The signed-in creator.
    PerUser,
}

/// Returns the limit that applies to every request to a route. Limits that depend on what a
/// request is about are applied by its handler or its use case.
#[must_use]
pub fn of_route(method: &str, pattern: &str) -> Option<(RateLimit, Counted)> {
    if pattern.starts_with(PUBLIC_LOG) {
        return Some((RateLimit::PublicLog, PerAddress));
    }
    Some(match (method, pattern) {
        ("POST", "/api/auth/login") => (RateLimit::Login, PerAddress),
        ("POST" | "PUT" | "DELETE", "/api/auth/totp")
        | ("POST", "/api/auth/totp/recovery-codes" | "/api/auth/change-password")
        | ("DELETE", "/api/account") => (RateLimit::Credentials, PerUser),
        ("POST", "/api/auth/confirm-email") => (RateLimit::ConfirmEmail, PerAddress),
        ("POST", "/api/auth/confirm-email/look" | "/api/auth/reset-password/look") => {
            (RateLimit::MailedLinks, PerAddress)
        }
        ("POST", "/api/auth/confirm-email/resend") => (RateLimit::ConfirmationMails, PerUser),
        ("POST", "/api/auth/register") => (RateLimit::Register, PerAddress),
        ("POST", "/api/auth/forgot-password") => (RateLimit::Forgot, PerAddress),
        ("POST", "/api/auth/reset-password") => (RateLimit::Reset, PerAddress),
        ("GET" | "HEAD", "/api/share/{token}") => (RateLimit::ShareLookup, PerAddress),
        ("GET", "/api/record/{documentId}") => (RateLimit::Records, PerAddress),
        ("GET", "/api/recipients/{id}/receipt.pdf")
        | ("GET" | "HEAD", "/api/share/{token}/download" | "/api/share/{token}/evidence.zip") => {
            (RateLimit::Downloads, PerAddress)
        }
        ("POST", "/api/recipients/{id}/verify") => (RateLimit::Verify, PerAddress),
        ("POST", "/api/ideas")
        | ("PUT", "/api/ideas/{id}" | "/api/ideas/{id}/publish")
        | ("PUT", "/api/shares/{id}")
        | ("POST", "/api/ideas/{id}/evidence/record")
        | ("DELETE", "/api/recipients/{id}/person")
        | ("PUT", "/api/ideas/{id}/public-record")
        | ("DELETE", "/api/ideas/{id}" | "/api/assets/{id}") => (RateLimit::IdeaWrites, PerUser),
        (
            "GET",
            "/api/ideas/{id}/activity.csv"
            | "/api/ideas/{id}/activity.json"
            | "/api/ideas/{id}/evidence.zip"
            | "/api/ideas/{id}/certificate.pdf",
        ) => (RateLimit::Exports, PerUser),
        ("GET", "/api/account/export") => (RateLimit::AccountExports, PerUser),
        ("GET", "/api/recipients/{id}/agreement.txt") => (RateLimit::ShareLookup, PerAddress),
        ("GET", "/api/ideas/{id}/evidence") => (RateLimit::Evidence, PerUser),
        ("POST", "/api/ideas/pdf" | "/api/upload/image" | "/api/profile/image") => {
            (RateLimit::Uploads, PerAddress)
        }
        ("POST", "/api/shares") => (RateLimit::Shares, PerAddress),
        ("POST", "/api/ai-search") => (RateLimit::Search, PerAddress),
        ("POST", "/api/ai-writing-assistant") => (RateLimit::Assistant, PerAddress),
        ("POST", "/api/unsubscribe/{token}") => (RateLimit::Unsubscribe, PerAddress),
        ("POST", "/api/notices/read")
        | ("PUT", "/api/profile/notifications" | "/api/shares/{id}/notifications") => {
            (RateLimit::Notifications, PerUser)
        }
        ("POST", "/api/waitlist") => (RateLimit::Waitlist, PerAddress),
        _ => return None,
    })
}
