//! What is sealed before it is stored, and with which key.

use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryResult, RunQueryDsl,
};
use diesel::result::Error as DieselError;
use thiserror::Error;

use ideavault_domain::digest::Digest;
use ideavault_domain::file;
use ideavault_domain::ids::{FileId, UserId};
use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
use ideavault_domain::ports::{PortError, Vault};

use super::Connection;
use super::master_keys::under_current;
use super::schema::{idea_keys, ideas};
use crate::stored;

/// Which of an idea's two keys.
#[derive(Clone, Copy)]
pub(super) enum IdeaKeyKind {
    /// What the idea says, and what is said about it. Gone with a deleted draft.
    Content,
    /// Who saw it. Stays.
    Evidence,
}

impl IdeaKeyKind {
    /// Where its wrapped key belongs: with another owner it does not open.
    pub(super) fn aad(self, idea: i64, owner: &str) -> String {
        match self {
            Self::Content => format!("content of idea {idea} of {owner}"),
            Self::Evidence => format!("evidence of idea {idea} of {owner}"),
        }
    }
}

/// An idea whose wrapped key does not open.
#[derive(Debug, Error)]
#[error(
    "the key of idea {idea} does not open: somebody changed the row or the owner of the idea, \
     or it belongs to another vault"
)]
struct ForeignKey {
    idea: i64,
    #[source]
    source: PortError,
}

/// A key, ready to be used.
pub(super) struct Seal<'v> {
    vault: &'v dyn Vault,
    key: DataKey,
}

impl<'v> Seal<'v> {
    /// A new key for something that is not stored yet.
    pub(super) fn fresh(vault: &'v dyn Vault) -> QueryResult<Self> {
        let key = vault.new_key().map_err(not_sealed)?;
        Ok(Self { vault, key })
    }

    /// The key of that owner's idea that wraps to `wrapped`.
    pub(super) fn of_idea(
        vault: &'v dyn Vault,
        realm: IdeaKeyKind,
        idea: i64,
        owner: &str,
        wrapped: Vec<u8>,
    ) -> QueryResult<Self> {
        let aad = realm.aad(idea, owner);
        vault
            .unwrap(&aad, &WrappedKey::from_stored(wrapped))
            .map(|key| Self { vault, key })
            .map_err(|source| {
                DieselError::DeserializationError(Box::new(ForeignKey { idea, source }))
            })
    }

    /// The key of a file.
    pub(super) fn of_file(
        vault: &'v dyn Vault,
        id: FileId,
        wrapped: &WrappedKey,
    ) -> QueryResult<Self> {
        let key = vault.unwrap(&file::key_aad(id), wrapped);
        let key = key.map_err(not_opened)?;
        Ok(Self { vault, key })
    }

    /// Seals a text for its place.
    pub(super) fn encrypt(&self, aad: &str, text: &str) -> QueryResult<Vec<u8>> {
        self.vault
            .seal(&self.key, aad, text.as_bytes())
            .map_err(not_sealed)
    }

    /// Reads what was sealed for that place.
    pub(super) fn open(&self, aad: &str, sealed: &[u8]) -> QueryResult<String> {
        let bytes = self
            .vault
            .open(&self.key, aad, sealed)
            .map_err(not_opened)?;
        stored::required("sealed text", String::from_utf8(bytes).ok())
    }

    /// Seals a digest for its place.
    pub(super) fn encrypt_digest(&self, aad: &str, digest: Digest) -> QueryResult<Vec<u8>> {
        self.encrypt(aad, &digest.to_string())
    }

    /// Reads the digest that was sealed for that place.
    pub(super) fn decrypt_digest(&self, aad: &str, sealed: &[u8]) -> QueryResult<Digest> {
        stored::parsed("digest", &self.open(aad, sealed)?)
    }

    fn wrapped_for(&self, aad: &str) -> QueryResult<Vec<u8>> {
        let wrapped = self.vault.wrap(aad, &self.key);
        Ok(wrapped.map_err(not_sealed)?.as_bytes().to_vec())
    }
}

/// Gives a new idea its keys: the one that its content was sealed with, and one
/// for the evidence.
pub(super) fn add_idea_keys(
    connection: &mut Connection,
    idea: i64,
    owner: UserId,
    content: &Seal<'_>,
) -> QueryResult<()> {
    let vault = content.vault;
    let evidence = Seal::fresh(vault)?;
    let mut wrapped = |seal: &Seal<'_>, realm: IdeaKeyKind| {
        let aad = realm.aad(idea, &owner.to_string());
        let key = seal.wrapped_for(&aad)?;
        under_current(connection, vault, MasterSealed::DataKey(&aad), &key)
    };
    let (content, evidence) = (
        wrapped(content, IdeaKeyKind::Content)?,
        wrapped(&evidence, IdeaKeyKind::Evidence)?,
    );
    diesel::insert_into(idea_keys::table)
        .values((
            idea_keys::idea_id.eq(idea),
            idea_keys::content.eq(content),
            idea_keys::evidence.eq(evidence),
        ))
        .execute(connection)?;
    Ok(())
}

/// The key of what an idea says; none once its draft was deleted.
pub(super) fn content_seal<'v>(
    connection: &mut Connection,
    vault: &'v dyn Vault,
    idea: i64,
) -> QueryResult<Option<Seal<'v>>> {
    let found = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(idea_keys::idea_id.eq(idea))
        .select((ideas::owner_id, idea_keys::content))
        .first::<(String, Option<Vec<u8>>)>(connection)
        .optional()?;
    let Some((owner, Some(wrapped))) = found else {
        return Ok(None);
    };
    Seal::of_idea(vault, IdeaKeyKind::Content, idea, &owner, wrapped).map(Some)
}

/// The key of the evidence of who saw an idea.
pub(super) fn evidence_seal<'v>(
    connection: &mut Connection,
    vault: &'v dyn Vault,
    idea: i64,
) -> QueryResult<Seal<'v>> {
    let (owner, wrapped): (String, Vec<u8>) = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(idea_keys::idea_id.eq(idea))
        .select((ideas::owner_id, idea_keys::evidence))
        .first(connection)?;
    Seal::of_idea(vault, IdeaKeyKind::Evidence, idea, &owner, wrapped)
}

/// Destroys the key of what an idea says.
pub(super) fn destroy_content_key(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    diesel::update(idea_keys::table.find(idea))
        .set(idea_keys::content.eq(None::<Vec<u8>>))
        .execute(connection)?;
    Ok(())
}

pub(super) fn not_sealed(error: PortError) -> DieselError {
    DieselError::SerializationError(Box::new(error))
}

fn not_opened(error: PortError) -> DieselError {
    DieselError::DeserializationError(Box::new(error))
}
