//! The forms of what is sealed as one: JSON objects, so that a later version
//! can add to them.

use std::net::IpAddr;

use diesel::prelude::QueryResult;
use diesel::result::Error as DieselError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::seals::Seal;
use crate::stored;

/// Who a recipient says to be, and whose idea it was offered.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecipientDetails {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) phone: Option<String>,
    pub(super) idea_title: String,
    pub(super) sharer: String,
}

/// What was accepted, and where that came from.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptanceDetails {
    pub(super) nda_sha256: String,
    pub(super) revision_sha256: String,
    pub(super) ip: IpAddr,
    pub(super) user_agent: Option<String>,
}

/// Who said what.
#[derive(Serialize, Deserialize)]
pub(super) struct Remark {
    pub(super) author: String,
    pub(super) text: String,
}

/// What can be sealed as one, and where it belongs.
pub(super) trait Sealable: Serialize + DeserializeOwned {
    /// What its place is called.
    const PLACE: &'static str;

    /// Seals it for the row with that id.
    fn seal(&self, seal: &Seal<'_>, id: &str) -> QueryResult<Vec<u8>> {
        let json = serde_json::to_string(self)
            .map_err(|error| DieselError::SerializationError(Box::new(error)))?;
        seal.encrypt(&aad::<Self>(id), &json)
    }

    /// Reads what was sealed for the row with that id.
    fn open(seal: &Seal<'_>, id: &str, sealed: &[u8]) -> QueryResult<Self> {
        let json = seal.open(&aad::<Self>(id), sealed)?;
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
