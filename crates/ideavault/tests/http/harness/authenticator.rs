//! An authenticator app, as people have one: it knows RFC 6238 and a secret.

use hmac::{Hmac, KeyInit as _, Mac as _};
use ideavault_domain::Timestamp;
use serde_json::json;
use sha1::Sha1;

use super::browser::Browser;

/// An app that was told a secret.
pub struct Authenticator(Vec<u8>);

impl Authenticator {
    /// An app that somebody typed the letters of a secret into.
    pub fn new(secret: &str) -> Self {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
        let values = secret.chars().map(|letter| alphabet.find(letter).unwrap());
        let bits: String = values.map(|value| format!("{value:05b}")).collect();
        let bytes = bits.as_bytes().chunks_exact(8).map(|byte| {
            let digits = std::str::from_utf8(byte).unwrap();
            u8::from_str_radix(digits, 2).unwrap()
        });
        Self(bytes.collect())
    }

    /// Begins two-step sign-in with a new app, and confirms it; answers the app
    /// and the recovery codes.
    pub async fn set_up(browser: &Browser, password: &str, now: Timestamp) -> (Self, Vec<String>) {
        let password = json!({ "currentPassword": password });
        let setup = browser.post("/api/auth/totp", password).await.expect(200);
        let app = Self::new(setup.json()["secret"].as_str().unwrap());
        let code = json!({ "code": app.shows(now) });
        let confirmed = browser.put("/api/auth/totp", code).await.expect(200).json();
        let codes = confirmed["recoveryCodes"].as_array().unwrap().iter();
        let codes = codes
            .map(|code| code.as_str().unwrap().to_owned())
            .collect();
        (app, codes)
    }

    /// The secret that it was told.
    pub fn secret(&self) -> &[u8] {
        &self.0
    }

    /// The six digits that it shows at that time.
    pub fn shows(&self, now: Timestamp) -> String {
        let step = u64::try_from(now.timestamp()).unwrap() / 30;
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).unwrap();
        mac.update(&step.to_be_bytes());
        let hash = mac.finalize().into_bytes();
        let place = usize::from(hash[19] & 15);
        let word = u32::from_be_bytes(hash[place..place + 4].try_into().unwrap());
        format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
    }
}
