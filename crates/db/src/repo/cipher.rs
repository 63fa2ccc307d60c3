//! Encryption of stored values with the keys of ideas and files.

use diesel::prelude::{ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::digest::Digest;
use ideavault_domain::file;
use ideavault_domain::ids::{FileId, UserId};
use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
use ideavault_domain::ports::Encryption;

use super::current_key::under_current;
use super::locking::Locking;
use super::schema::{idea_keys, ideas, users};
use super::{Connection, PROTECTING_ACCOUNTS};
use crate::at_once;
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
pub(super) struct Cipher<'v> {
    encryption: &'v dyn Encryption,
    key: DataKey,
}

impl<'v> Cipher<'v> {
    /// Creates a new key.
    pub(super) fn generate(encryption: &'v dyn Encryption) -> QueryResult<Self> {
        let key = encryption.new_key().map_err(QueryError::Encryption)?;
        Ok(Self { encryption, key })
    }

    /// Unwraps a key of that owner's idea.
    pub(super) fn of_idea(
        encryption: &'v dyn Encryption,
        kind: IdeaKeyKind,
        idea: i64,
        owner: &str,
        wrapped: Vec<u8>,
    ) -> QueryResult<Self> {
        let aad = kind.aad(idea, owner);
        encryption
            .unwrap(&aad, &WrappedKey::from_stored(wrapped))
            .map(|key| Self { encryption, key })
            .map_err(|source| QueryError::ForeignKey { idea, source })
    }

    /// Unwraps the key of a file.
    pub(super) fn of_file(
        encryption: &'v dyn Encryption,
        id: FileId,
        wrapped: &WrappedKey,
    ) -> QueryResult<Self> {
        Self::unwrapped(encryption, &file::key_aad(id), wrapped)
    }

    /// Unwraps a key that was wrapped with the associated data `aad`.
    pub(super) fn unwrapped(
        encryption: &'v dyn Encryption,
        aad: &str,
        wrapped: &WrappedKey,
    ) -> QueryResult<Self> {
        let key = encryption.unwrap(aad, wrapped);
        let key = key.map_err(QueryError::Decryption)?;
        Ok(Self { encryption, key })
    }

    /// Encrypts a text with the associated data `aad`.
    pub(super) fn encrypt(&self, aad: &str, text: &str) -> QueryResult<Vec<u8>> {
        self.encryption
            .seal(&self.key, aad, text.as_bytes())
            .map_err(QueryError::Encryption)
    }

    /// Decrypts a text that was encrypted with the same `aad`.
    pub(super) fn open(&self, aad: &str, sealed: &[u8]) -> QueryResult<String> {
        at_once::spend(sealed.len())?;
        let bytes = self
            .encryption
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

    /// Returns the key, wrapped with the associated data `aad`.
    pub(super) fn wrapped_for(&self, aad: &str) -> QueryResult<Vec<u8>> {
        let wrapped = self.encryption.wrap(aad, &self.key);
        Ok(wrapped.map_err(QueryError::Encryption)?.as_bytes().to_vec())
    }
}

/// Stores a new idea's wrapped keys: the one that its content was encrypted with,
/// and a new one for the evidence.
pub(super) fn add_idea_keys(
    connection: &mut Connection,
    idea: i64,
    owner: UserId,
    content: &Cipher<'_>,
) -> QueryResult<()> {
    let encryption = content.encryption;
    let evidence = Cipher::generate(encryption)?;
    let mut wrapped = |cipher: &Cipher<'_>, kind: IdeaKeyKind| {
        let aad = kind.aad(idea, &owner.to_string());
        let key = cipher.wrapped_for(&aad)?;
        under_current(connection, encryption, MasterSealed::DataKey(&aad), &key)
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
pub(super) fn content_cipher<'v>(
    connection: &mut Connection,
    encryption: &'v dyn Encryption,
    idea: i64,
) -> QueryResult<Option<Cipher<'v>>> {
    let found = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(idea_keys::idea_id.eq(idea))
        .select((ideas::owner_id, idea_keys::content))
        .first::<(String, Option<Vec<u8>>)>(connection)
        .optional()?;
    let Some((owner, Some(wrapped))) = found else {
        return Ok(None);
    };
    Cipher::of_idea(encryption, IdeaKeyKind::Content, idea, &owner, wrapped).map(Some)
}

/// Reads an idea's evidence key.
pub(super) fn evidence_cipher<'v>(
    connection: &mut Connection,
    encryption: &'v dyn Encryption,
    idea: i64,
) -> QueryResult<Cipher<'v>> {
    let (owner, wrapped): (String, Vec<u8>) = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(idea_keys::idea_id.eq(idea))
        .select((ideas::owner_id, idea_keys::evidence))
        .first(connection)?;
    Cipher::of_idea(encryption, IdeaKeyKind::Evidence, idea, &owner, wrapped)
}

/// Reads an idea's content key as [`content_cipher`] does, but goes on only if its owner's account
/// exists and is not disabled; it stays so until this transaction ends.
pub(super) fn content_cipher_of_account<'v>(
    connection: &mut Connection,
    encryption: &'v dyn Encryption,
    idea: i64,
) -> QueryResult<Option<Cipher<'v>>> {
    let Some((owner, Some(wrapped), _)) = protected_keys(connection, idea)? else {
        return Ok(None);
    };
    Cipher::of_idea(encryption, IdeaKeyKind::Content, idea, &owner, wrapped).map(Some)
}

/// Reads an idea's evidence key as [`evidence_cipher`] does, but goes on only if its owner's
/// account exists and is not disabled; it stays so until this transaction ends.
pub(super) fn evidence_cipher_of_account<'v>(
    connection: &mut Connection,
    encryption: &'v dyn Encryption,
    idea: i64,
) -> QueryResult<Cipher<'v>> {
    let (owner, _, wrapped) = protected_keys(connection, idea)?.ok_or(diesel::NotFound)?;
    Cipher::of_idea(encryption, IdeaKeyKind::Evidence, idea, &owner, wrapped)
}

/// An idea's owner and its two wrapped keys, of content and evidence.
type OwnedKeys = (String, Option<Vec<u8>>, Vec<u8>);

fn protected_keys(connection: &mut Connection, idea: i64) -> QueryResult<Option<OwnedKeys>> {
    let keys = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
        .filter(idea_keys::idea_id.eq(idea))
        .select((
            users::disabled_at.is_not_null(),
            (ideas::owner_id, idea_keys::content, idea_keys::evidence),
        ));
    let found: Option<(bool, OwnedKeys)> = Locking::new(keys, PROTECTING_ACCOUNTS)
        .get_result(connection)
        .optional()?;
    match found {
        Some((true, _)) => Err(QueryError::AccountGone),
        Some((false, keys)) => Ok(Some(keys)),
        None => Ok(None),
    }
}

/// Destroys an idea's content key.
pub(super) fn destroy_content_key(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    diesel::update(idea_keys::table.find(idea))
        .set(idea_keys::content.eq(None::<Vec<u8>>))
        .execute(connection)?;
    Ok(())
}
