//! Encryption of stored values with the keys of ideas and files.

use diesel::prelude::{ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::digest::Digest;
use ideavault_domain::file;
use ideavault_domain::ids::{FileId, UserId};
use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
use ideavault_domain::ports::Vault;

use super::Connection;
use super::current_key::under_current;
use super::schema::{idea_keys, ideas};
use crate::error::{QueryError, QueryResult};
use crate::stored;

/// The kind of an idea's key.
#[derive(Clone, Copy)]
pub(super) enum IdeaKeyKind {
    /// Encrypts the idea's content and comments. Destroyed with a deleted draft.
    Content,
    /// Encrypts the evidence of who saw the idea. Kept.
    Evidence,
}

impl IdeaKeyKind {
    /// Returns the associated data of the wrapped key, which binds it to the owner.
    pub(super) fn aad(self, idea: i64, owner: &str) -> String {
        match self {
            Self::Content => format!("content of idea {idea} of {owner}"),
            Self::Evidence => format!("evidence of idea {idea} of {owner}"),
        }
    }
}

/// An unwrapped key.
pub(super) struct Seal<'v> {
    vault: &'v dyn Vault,
    key: DataKey,
}

impl<'v> Seal<'v> {
    /// Creates a new key.
    pub(super) fn fresh(vault: &'v dyn Vault) -> QueryResult<Self> {
        let key = vault.new_key().map_err(QueryError::Encryption)?;
        Ok(Self { vault, key })
    }

    /// Unwraps a key of that owner's idea.
    pub(super) fn of_idea(
        vault: &'v dyn Vault,
        kind: IdeaKeyKind,
        idea: i64,
        owner: &str,
        wrapped: Vec<u8>,
    ) -> QueryResult<Self> {
        let aad = kind.aad(idea, owner);
        vault
            .unwrap(&aad, &WrappedKey::from_stored(wrapped))
            .map(|key| Self { vault, key })
            .map_err(|source| QueryError::ForeignKey { idea, source })
    }

    /// Unwraps the key of a file.
    pub(super) fn of_file(
        vault: &'v dyn Vault,
        id: FileId,
        wrapped: &WrappedKey,
    ) -> QueryResult<Self> {
        let key = vault.unwrap(&file::key_aad(id), wrapped);
        let key = key.map_err(QueryError::Decryption)?;
        Ok(Self { vault, key })
    }

    /// Encrypts a text with the associated data `aad`.
    pub(super) fn encrypt(&self, aad: &str, text: &str) -> QueryResult<Vec<u8>> {
        self.vault
            .seal(&self.key, aad, text.as_bytes())
            .map_err(QueryError::Encryption)
    }

    /// Decrypts a text that was encrypted with the same `aad`.
    pub(super) fn open(&self, aad: &str, sealed: &[u8]) -> QueryResult<String> {
        let bytes = self
            .vault
            .open(&self.key, aad, sealed)
            .map_err(QueryError::Decryption)?;
        stored::required("sealed text", String::from_utf8(bytes).ok())
    }

    /// Encrypts a digest with the associated data `aad`.
    pub(super) fn encrypt_digest(&self, aad: &str, digest: Digest) -> QueryResult<Vec<u8>> {
        self.encrypt(aad, &digest.to_string())
    }

    /// Decrypts a digest that was encrypted with the same `aad`.
    pub(super) fn decrypt_digest(&self, aad: &str, sealed: &[u8]) -> QueryResult<Digest> {
        stored::parsed("digest", &self.open(aad, sealed)?)
    }

    fn wrapped_for(&self, aad: &str) -> QueryResult<Vec<u8>> {
        let wrapped = self.vault.wrap(aad, &self.key);
        Ok(wrapped.map_err(QueryError::Encryption)?.as_bytes().to_vec())
    }
}

/// Stores a new idea's wrapped keys: the one that its content was encrypted with,
/// and a new one for the evidence.
pub(super) fn add_idea_keys(
    connection: &mut Connection,
    idea: i64,
    owner: UserId,
    content: &Seal<'_>,
) -> QueryResult<()> {
    let vault = content.vault;
    let evidence = Seal::fresh(vault)?;
    let mut wrapped = |seal: &Seal<'_>, kind: IdeaKeyKind| {
        let aad = kind.aad(idea, &owner.to_string());
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

/// Reads an idea's content key; `None` once its draft was deleted.
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

/// Reads an idea's evidence key.
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

/// Destroys an idea's content key.
pub(super) fn destroy_content_key(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    diesel::update(idea_keys::table.find(idea))
        .set(idea_keys::content.eq(None::<Vec<u8>>))
        .execute(connection)?;
    Ok(())
}
