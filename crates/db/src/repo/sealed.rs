//! Values that are encrypted together, as JSON objects, so that a later version
//! can add fields.

use std::net::IpAddr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use ideavault_domain::comment::DAMAGED_TEXT;
use ideavault_domain::digest::Digest;
use ideavault_domain::recipient::{ERASED_EMAIL, ERASED_NAME, Origin};

use super::cipher::Cipher;
use crate::error::{QueryError, QueryResult};
use crate::stored;

/// A recipient's own details, and the idea and sharer of the agreement.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecipientDetails {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) phone: Option<String>,
    pub(super) idea_title: String,
    pub(super) sharer: String,
    /// The party of an agreement that is kept although its person was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kept_party: Option<KeptParty>,
}

/// Whom a kept agreement names.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptParty {
    pub(super) name: String,
    pub(super) email: String,
}

/// The digests of the agreement and of the revision, and the address and browser of the
/// request.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptanceDetails {
    pub(super) nda_sha256: String,
    pub(super) revision_sha256: String,
    /// `None` once the recipient was erased.
    pub(super) ip: Option<IpAddr>,
    pub(super) user_agent: Option<String>,
}

impl RecipientDetails {
    /// Placeholders in place of what is damaged.
    pub(super) fn erased() -> Self {
        Self {
            name: ERASED_NAME.to_owned(),
            email: ERASED_EMAIL.to_owned(),
            phone: None,
            idea_title: String::new(),
            sharer: ERASED_NAME.to_owned(),
            kept_party: None,
        }
    }
}

impl AcceptanceDetails {
    /// Returns the origin of the request, unless it was erased.
    pub(super) fn origin(self) -> Option<Origin> {
        Some(Origin {
            ip: self.ip?,
            user_agent: self.user_agent,
        })
    }

    /// Placeholders in place of what is damaged.
    pub(super) fn erased() -> Self {
        Self {
            nda_sha256: Digest::of(b"").to_string(),
            revision_sha256: Digest::of(b"").to_string(),
            ip: None,
            user_agent: None,
        }
    }

    /// Puts placeholders in place of what leads to the person: the digest of a text that
    /// names somebody can be compared with guesses.
    pub(super) fn erase(&mut self, with_agreement: bool) {
        if with_agreement {
            self.nda_sha256 = Digest::of(b"").to_string();
        }
        self.ip = None;
        self.user_agent = None;
    }
}

/// The author and the text of a comment.
#[derive(Serialize, Deserialize)]
pub(super) struct Remark {
    pub(super) author: String,
    pub(super) text: String,
}

impl Remark {
    /// Placeholders in place of what is damaged.
    pub(super) fn erased() -> Self {
        Self {
            author: ERASED_NAME.to_owned(),
            text: DAMAGED_TEXT.to_owned(),
        }
    }
}

/// A value that is encrypted as a whole, bound to its row.
pub(super) trait Sealable: Serialize + DeserializeOwned {
    /// The prefix of the associated data.
    const PLACE: &'static str;

    /// Encrypts the value for the row with that id.
    fn seal(&self, cipher: &Cipher<'_>, id: &str) -> QueryResult<Vec<u8>> {
        let json = serde_json::to_string(self)
            .map_err(|error| QueryError::NotStorable(Box::new(error)))?;
        cipher.encrypt(&aad::<Self>(id), &json)
    }

    /// Decrypts the value of the row with that id.
    fn open(cipher: &Cipher<'_>, id: &str, sealed: &[u8]) -> QueryResult<Self> {
        let json = cipher.open(&aad::<Self>(id), sealed)?;
        stored::required(Self::PLACE, serde_json::from_str(&json).ok())
    }
}

fn aad<T: Sealable>(id: &str) -> String {
    format!("{} {id}", T::PLACE)
}

impl Sealable for RecipientDetails {
    const PLACE: &'static str = "details of recipient";
}

impl Sealable for AcceptanceDetails {
    const PLACE: &'static str = "details of acceptance";
}

impl Sealable for Remark {
    const PLACE: &'static str = "comment";
}
