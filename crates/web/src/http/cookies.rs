//! Cookies other than the session's (docs/rules.md#sessions). A recipient's browser has three:
//! the key of its viewer session, a mark that it has one, and the signed id of the share that it
//! looked up last. A creator's browser has the key of its device, and that of a person who asked for
//! own documents a key to them.

use std::future::{Ready, ready};

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, CookieJar, Key, SameSite};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::device::DEVICE_LIFETIME;
use ideavault_domain::document_link::DOCUMENTS_SHOWN_FOR;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::ShareId;
use ideavault_domain::recipient::VIEWER_SESSION_LIFETIME;
use ideavault_domain::token::Token;

use super::error::ApiError;

/// Reads and writes the cookies of recipients.
#[derive(Clone)]
pub struct RecipientCookies {
    key: Key,
    secure: bool,
}

impl RecipientCookies {
    /// Signs with `key`. `secure` tells whether browsers use TLS.
    #[must_use]
    pub fn new(key: Key, secure: bool) -> Self {
        Self { key, secure }
    }

    /// Returns the key of the browser's viewer session.
    #[must_use]
    pub fn viewer(&self, request: &HttpRequest) -> Option<Token> {
        request.cookie(self.viewer_name())?.value().parse().ok()
    }

    /// Builds the cookies of a viewer session: its key, and the mark that there is one.
    #[must_use]
    pub fn keep_viewer(&self, key: &Token) -> [Cookie<'static>; 2] {
        let lifetime = Duration::seconds(VIEWER_SESSION_LIFETIME.num_seconds());
        let value = |name, value| cookie(name, value, lifetime, self.secure);
        let mut mark = value(self.mark_name(), "1".to_owned());
        mark.set_same_site(SameSite::Lax);
        [value(self.viewer_name(), key.reveal()), mark]
    }

    /// Returns whether somebody has registered from this browser, also if the request comes from
    /// another site, such as a mail that is read in the browser: the key is not sent then.
    #[must_use]
    pub fn has_registered(&self, request: &HttpRequest) -> bool {
        [self.viewer_name(), self.mark_name()]
            .iter()
            .any(|name| request.cookie(name).is_some())
    }

    /// Returns the share that the browser looked up last, if the signature is valid.
    #[must_use]
    pub fn share(&self, request: &HttpRequest) -> Option<ShareId> {
        let mut jar = CookieJar::new();
        jar.add_original(request.cookie(self.share_name())?);
        let cookie = jar.signed(&self.key).get(self.share_name())?;
        cookie.value().parse().ok()
    }

    /// Builds the signed cookie that names a share. It needs no row in the database.
    #[must_use]
    pub fn keep_share(&self, share: ShareId) -> Option<Cookie<'static>> {
        let (name, lifetime) = (self.share_name(), Duration::hours(12));
        let cookie = cookie(name, share.to_string(), lifetime, self.secure);
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

    fn mark_name(&self) -> &'static str {
        if self.secure {
            "__Host-ideavault-registered"
        } else {
            "ideavault-registered"
        }
    }

    fn share_name(&self) -> &'static str {
        if self.secure {
            "__Host-ideavault-share"
        } else {
            "ideavault-share"
        }
    }
}

/// The device cookie of a creator's browser (see [`ideavault_domain::device`]).
pub struct DeviceCookie {
    secure: bool,
    /// The key in the cookie, if there is one.
    pub key: Option<Token>,
}

/// Whether browsers use TLS.
#[derive(Clone, Copy, Debug)]
pub struct OverTls(pub bool);

impl DeviceCookie {
    /// Builds the cookie with `key`, valid for as long as devices are remembered.
    #[must_use]
    pub fn keep(&self, key: &Token) -> Cookie<'static> {
        let lifetime = Duration::seconds(DEVICE_LIFETIME.num_seconds());
        cookie(
            device_name(self.secure),
            key.reveal(),
            lifetime,
            self.secure,
        )
    }
}

impl FromRequest for DeviceCookie {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            key_in(request, device_name)
                .map(|(secure, key)| Self { secure, key })
                .map_err(ApiError::from),
        )
    }
}

fn device_name(secure: bool) -> &'static str {
    if secure {
        "__Host-ideavault-device"
    } else {
        "ideavault-device"
    }
}

/// The cookie with which a person is shown own documents (see
/// [`ideavault_domain::document_link`]). Only the calls for them get it.
pub struct DocumentsCookie {
    secure: bool,
    /// The key in the cookie, if there is one.
    pub key: Option<Token>,
}

impl DocumentsCookie {
    /// Builds the cookie with `key`.
    #[must_use]
    pub fn keep(&self, key: &Token) -> Cookie<'static> {
        let lifetime = Duration::seconds(DOCUMENTS_SHOWN_FOR.num_seconds());
        self.cookie(key.reveal(), lifetime)
    }

    /// Builds what removes the cookie.
    #[must_use]
    pub fn remove(&self) -> Cookie<'static> {
        self.cookie(String::new(), Duration::ZERO)
    }

    fn cookie(&self, value: String, lifetime: Duration) -> Cookie<'static> {
        let mut cookie = cookie(documents_name(self.secure), value, lifetime, self.secure);
        cookie.set_path("/api/my-documents");
        cookie
    }
}

impl FromRequest for DocumentsCookie {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            key_in(request, documents_name)
                .map(|(secure, key)| Self { secure, key })
                .map_err(ApiError::from),
        )
    }
}

/// Returns whether browsers use TLS, and the key in the cookie of that name.
fn key_in(
    request: &HttpRequest,
    name: fn(bool) -> &'static str,
) -> Result<(bool, Option<Token>), Failure> {
    let tls = request
        .app_data::<web::Data<OverTls>>()
        .ok_or_else(|| Failure::Internal("cookies are not set up".into()))?;
    let secure = tls.0;
    let cookie = request.cookie(name(secure));
    let key = cookie.and_then(|cookie| cookie.value().parse().ok());
    Ok((secure, key))
}

/// Not `__Host-`, which is for the path `/` alone.
fn documents_name(secure: bool) -> &'static str {
    if secure {
        "__Secure-ideavault-documents"
    } else {
        "ideavault-documents"
    }
}

fn cookie(name: &'static str, value: String, lifetime: Duration, secure: bool) -> Cookie<'static> {
    Cookie::build(name, value)
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(secure)
        .path("/")
        .max_age(lifetime)
        .finish()
}
