//! The two cookies of a recipient's browser (design section 5): the key of its
//! viewer session, and the signed name of the share that it looked up last.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, CookieJar, Key, SameSite};
use ideavault_domain::ids::ShareId;
use ideavault_domain::recipient::VIEWER_SESSION_LIFETIME;
use ideavault_domain::token::Token;

/// Reads and writes the cookies of recipients.
#[derive(Clone)]
pub struct RecipientCookies {
    key: Key,
    secure: bool,
}

impl RecipientCookies {
    /// Signs with `key`. `secure` says whether browsers reach us over TLS.
    #[must_use]
    pub fn new(key: Key, secure: bool) -> Self {
        Self { key, secure }
    }

    /// The key of the browser's viewer session.
    #[must_use]
    pub fn viewer(&self, request: &HttpRequest) -> Option<Token> {
        request.cookie(self.viewer_name())?.value().parse().ok()
    }

    /// A cookie that keeps the key of a viewer session.
    #[must_use]
    pub fn keep_viewer(&self, key: &Token) -> Cookie<'static> {
        let lifetime = Duration::seconds(VIEWER_SESSION_LIFETIME.num_seconds());
        self.cookie(self.viewer_name(), key.reveal(), lifetime)
    }

    /// The share that the browser looked up last, if the signature is ours.
    #[must_use]
    pub fn share(&self, request: &HttpRequest) -> Option<ShareId> {
        let mut jar = CookieJar::new();
        jar.add_original(request.cookie(self.share_name())?);
        let cookie = jar.signed(&self.key).get(self.share_name())?;
        cookie.value().parse().ok()
    }

    /// A cookie that names a share, signed; it needs no row in the store.
    #[must_use]
    pub fn keep_share(&self, share: ShareId) -> Option<Cookie<'static>> {
        let cookie = self.cookie(self.share_name(), share.to_string(), Duration::hours(12));
        let mut jar = CookieJar::new();
        jar.signed_mut(&self.key).add(cookie);
        jar.get(self.share_name()).cloned()
    }

    fn viewer_name(&self) -> &'static str {
        if self.secure {
            "__Host-ideavault-viewer"
        } else {
            "ideavault-viewer"
        }
    }

    fn share_name(&self) -> &'static str {
        if self.secure {
            "__Host-ideavault-share"
        } else {
            "ideavault-share"
        }
    }

    fn cookie(&self, name: &'static str, value: String, lifetime: Duration) -> Cookie<'static> {
        Cookie::build(name, value)
            .http_only(true)
            .same_site(SameSite::Strict)
            .secure(self.secure)
            .path("/")
            .max_age(lifetime)
            .finish()
    }
}
