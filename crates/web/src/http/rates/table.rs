//! Which rate limit applies to which route.

use ideavault_domain::rate_limit::RateLimit;

use CountedFor::{Address, User};

/// Where the files of each log are, such as `/log1`.
pub const PUBLIC_LOG: &str = "/log{log:[1-9][0-9]{0,8}}";

/// Key by which the limit of a route counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedFor {
    /// The client's address.
    Address,
    /// The signed-in creator.
    User,
}

/// Returns the limit that applies to every request to a route. Limits that depend on what a
/// request is about are applied by its handler or its use case.
#[must_use]
pub fn of_route(method: &str, pattern: &str) -> Option<(RateLimit, CountedFor)> {
    if pattern.starts_with(PUBLIC_LOG) {
        return Some((RateLimit::PublicLog, Address));
    }
    Some(match (method, pattern) {
        ("POST", "/api/auth/login") => (RateLimit::Login, Address),
        ("POST" | "PUT" | "DELETE", "/api/auth/totp")
        | ("POST", "/api/auth/totp/recovery-codes" | "/api/auth/change-password")
        | ("DELETE", "/api/account") => (RateLimit::Credentials, User),
        ("POST", "/api/auth/confirm-email") => (RateLimit::ConfirmEmail, Address),
        (
            "POST",
            "/api/auth/confirm-email/look"
            | "/api/auth/reset-password/look"
            | "/api/my-documents/open",
        ) => (RateLimit::MailedLinks, Address),
        ("POST", "/api/my-documents") => (RateLimit::MyDocuments, Address),
        ("POST", "/api/auth/confirm-email/resend") => (RateLimit::ConfirmationMails, User),
        ("POST", "/api/auth/register") => (RateLimit::Register, Address),
        ("POST", "/api/auth/forgot-password") => (RateLimit::Forgot, Address),
        ("POST", "/api/auth/reset-password") => (RateLimit::Reset, Address),
        ("GET" | "HEAD", "/api/share/{token}") => (RateLimit::ShareLookup, Address),
        ("GET", "/api/record/{documentId}") => (RateLimit::Records, Address),
        ("GET", "/api/recipients/{id}/receipt.pdf" | "/api/my-documents/{id}/receipt.pdf")
        | ("GET" | "HEAD", "/api/share/{token}/download" | "/api/share/{token}/evidence.zip") => {
            (RateLimit::Downloads, Address)
        }
        ("POST", "/api/recipients/{id}/verify") => (RateLimit::Verify, Address),
        ("POST", "/api/ideas")
        | ("PUT", "/api/ideas/{id}" | "/api/ideas/{id}/publish" | "/api/ideas/{id}/organize")
        | ("PUT", "/api/shares/{id}")
        | ("POST", "/api/ideas/{id}/evidence/record")
        | ("DELETE", "/api/recipients/{id}/person")
        | ("PUT", "/api/ideas/{id}/public-record")
        | ("DELETE", "/api/ideas/{id}" | "/api/assets/{id}") => (RateLimit::IdeaWrites, User),
        ("PUT" | "DELETE", "/api/ideas/{id}/working-copy") => (RateLimit::WorkingCopies, User),
        (
            "GET",
            "/api/ideas/{id}/activity.csv"
            | "/api/ideas/{id}/activity.json"
            | "/api/ideas/{id}/evidence.zip"
            | "/api/ideas/{id}/certificate.pdf"
            | "/api/ideas/{id}/report"
            | "/api/readers/export",
        ) => (RateLimit::Exports, User),
        ("GET", "/api/account/export") => (RateLimit::AccountExports, User),
        (
            "GET",
            "/api/recipients/{id}/agreement.txt"
            | "/api/my-documents"
            | "/api/my-documents/{id}/agreement.txt",
        )
        | ("POST", "/api/my-documents/end") => (RateLimit::ShareLookup, Address),
        ("GET", "/api/ideas/{id}/evidence" | "/api/readers") => (RateLimit::Evidence, User),
        ("POST", "/api/ideas/pdf" | "/api/upload/image" | "/api/profile/image") => {
            (RateLimit::Uploads, Address)
        }
        ("POST", "/api/shares") => (RateLimit::Shares, Address),
        ("POST", "/api/ai-search") => (RateLimit::Search, Address),
        ("POST", "/api/ai-writing-assistant") => (RateLimit::Assistant, Address),
        ("POST", "/api/unsubscribe/{token}") => (RateLimit::Unsubscribe, Address),
        ("POST", "/api/notices/read")
        | ("PUT", "/api/profile/notifications" | "/api/shares/{id}/notifications") => {
            (RateLimit::Notifications, User)
        }
        ("POST", "/api/waitlist") => (RateLimit::Waitlist, Address),
        _ => return None,
    })
}
