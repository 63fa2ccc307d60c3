//! Uploaded files: their rows, keys, and the ideas that show them. The bytes are in the storage.

use diesel::dsl::auto_type;
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::content::{Content, ContentKind};
use ideavault_domain::file::{self, FileKind, MediaType, StoredFile};
use ideavault_domain::file_name::FileName;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{FileId, IdeaId, UserId};
use ideavault_domain::keys::{MasterSealed, WrappedKey};
use ideavault_domain::ports::{DatabaseError, Encryption, Files};

use super::cipher::Cipher;
use super::current_key::under_current;
use super::erased::protect_account;
use super::schema::{account_storage, file_keys, files, idea_files, ideas, revision_files};
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// Most ids in one statement: SQLite limits the number of parameters.
const BATCH: usize = 500;

#[derive(Queryable, Selectable)]
#[diesel(table_name = files)]
pub(super) struct FileRow {
    id: String,
    owner_id: String,
    media_type: String,
    name: Vec<u8>,
    size: i64,
    created_at: Time,
    sha256: Vec<u8>,
}

impl FileRow {
    pub(super) fn into_file(
        self,
        encryption: &dyn Encryption,
        wrapped: Vec<u8>,
    ) -> QueryResult<StoredFile> {
        let id = stored::parsed("file id", &self.id)?;
        let key = WrappedKey::from_stored(wrapped);
        let cipher = Cipher::of_file(encryption, id, &key)?;
        let name = cipher.open(&name_aad(&self.owner_id), &self.name)?;
        let sha256 = cipher.decrypt_digest(&digest_aad(&self.owner_id), &self.sha256)?;
        Ok(StoredFile {
            id,
            key,
            owner: stored::parsed("owner id", &self.owner_id)?,
            media_type: stored::required("media type", MediaType::from_name(&self.media_type))?,
            name: FileName::from_stored(name),
            size: stored::required("size", u64::try_from(self.size).ok())?,
            sha256,
            created_at: self.created_at.into(),
        })
    }
}

/// Returns the associated data of a file's name, which binds it to the owner.
fn name_aad(owner: &str) -> String {
    format!("name of a file of {owner}")
}

/// Returns the associated data of a file's digest, which binds it to the owner.
fn digest_aad(owner: &str) -> String {
    format!("digest of a file of {owner}")
}

#[auto_type]
pub(super) fn with_keys() -> _ {
    files::table.inner_join(file_keys::table.on(file_keys::file_id.eq(files::id)))
}

/// Inserts a file, unless its owner has added one with the same key before.
fn insert(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    file: &StoredFile,
    key: Option<&IdempotencyKey>,
) -> QueryResult<bool> {
    protect_account(connection, &file.owner.to_string())?;
    let aad = file::key_aad(file.id);
    let wrapped = under_current(
        connection,
        encryption,
        MasterSealed::DataKey(&aad),
        file.key.as_bytes(),
    )?;
    let id = file.id.to_string();
    let owner = file.owner.to_string();
    let cipher = Cipher::of_file(encryption, file.id, &file.key)?;
    let name = cipher.encrypt(&name_aad(&owner), file.name.as_str())?;
    let sha256 = cipher.encrypt_digest(&digest_aad(&owner), file.sha256)?;
    let size = stored::required("size", i64::try_from(file.size).ok())?;
    let inserted = diesel::insert_into(files::table)
        .values((
            files::id.eq(&id),
            files::owner_id.eq(owner),
            files::kind.eq(file.kind().as_str()),
            files::media_type.eq(file.media_type.as_str()),
            files::name.eq(name),
            files::size.eq(size),
            files::sha256.eq(sha256),
            files::created_at.eq(file.created_at),
            files::idempotency_key.eq(key.map(IdempotencyKey::as_bytes)),
        ))
        .on_conflict((files::owner_id, files::idempotency_key))
        .do_nothing()
        .execute(connection)?;
    if inserted == 0 {
        return Ok(false);
    }
    diesel::insert_into(file_keys::table)
        .values((file_keys::file_id.eq(&id), file_keys::wrapped.eq(wrapped)))
        .execute(connection)?;
    Ok(true)
}

impl Files for Repository<'_> {
    fn add_file(&mut self, file: &StoredFile) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a file", |connection| {
            insert(connection, encryption, file, None).map(drop)
        })
    }

    fn add_file_of_request(
        &mut self,
        file: &StoredFile,
        key: &IdempotencyKey,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("add a file", |connection| {
            insert(connection, encryption, file, Some(key))
        })
    }

    fn file_of_request(
        &mut self,
        owner: UserId,
        key: &IdempotencyKey,
    ) -> Result<Option<StoredFile>, DatabaseError> {
        let encryption = self.encryption;
        self.run("find a file by the key of its request", |connection| {
            with_keys()
                .filter(files::owner_id.eq(owner.to_string()))
                .filter(files::idempotency_key.eq(key.as_bytes()))
                .select((FileRow::as_select(), file_keys::wrapped))
                .first::<(FileRow, Vec<u8>)>(connection)
                .optional()?
                .map(|(row, key)| row.into_file(encryption, key))
                .transpose()
        })
    }

    fn file(&mut self, id: FileId) -> Result<Option<StoredFile>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a file", |connection| {
            with_keys()
                .filter(files::id.eq(id.to_string()))
                .select((FileRow::as_select(), file_keys::wrapped))
                .first::<(FileRow, Vec<u8>)>(connection)
                .optional()?
                .map(|(row, key)| row.into_file(encryption, key))
                .transpose()
        })
    }

    fn images_of(&mut self, owner: UserId) -> Result<Vec<StoredFile>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list images", |connection| {
            with_keys()
                .filter(files::owner_id.eq(owner.to_string()))
                .filter(files::kind.eq(FileKind::Image.as_str()))
                .order((files::created_at.desc(), files::seq.desc()))
                .select((FileRow::as_select(), file_keys::wrapped))
                .load::<(FileRow, Vec<u8>)>(connection)?
                .into_iter()
                .filter_map(|(row, key)| {
                    let id = row.id.clone();
                    let file = row.into_file(encryption, key);
                    let file = readable.unless_damaged(connection, ("file", &id), file);
                    file.transpose()
                })
                .collect()
        })
    }

    fn ideas_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError> {
        self.run("list the ideas that show a file", |connection| {
            let ids: Vec<i64> = idea_files::table
                .inner_join(ideas::table.on(ideas::id.eq(idea_files::idea_id)))
                .filter(idea_files::file_id.eq(file.to_string()))
                .filter(ideas::deleted_at.is_null())
                .order(ideas::id)
                .select(ideas::id)
                .load(connection)?;
            Ok(ids.into_iter().map(IdeaId::from).collect())
        })
    }

    fn ideas_with_revisions_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError> {
        self.run(
            "list the ideas with revisions that show a file",
            |connection| {
                let ids: Vec<i64> = revision_files::table
                    .filter(revision_files::file_id.eq(file.to_string()))
                    .order(revision_files::idea_id)
                    .select(revision_files::idea_id)
                    .distinct()
                    .load(connection)?;
                Ok(ids.into_iter().map(IdeaId::from).collect())
            },
        )
    }

    fn pdf_of(&mut self, idea: IdeaId) -> Result<Option<FileId>, DatabaseError> {
        self.run("find the PDF of an idea", |connection| {
            let id: Option<String> = files::table
                .inner_join(idea_files::table.on(idea_files::file_id.eq(files::id)))
                .filter(idea_files::idea_id.eq(idea.as_i64()))
                .filter(files::kind.eq(FileKind::Pdf.as_str()))
                .select(files::id)
                .first(connection)
                .optional()?;
            id.map(|id| stored::parsed("file id", &id)).transpose()
        })
    }

    fn remove_file(&mut self, id: FileId) -> Result<bool, DatabaseError> {
        self.run("remove a file", |connection| {
            let id = id.to_string();
            let owner: Option<String> = files::table
                .filter(files::id.eq(&id))
                .select(files::owner_id)
                .first(connection)
                .optional()?;
            let Some(owner) = owner else {
                return Ok(false);
            };
            // Changes nothing, but excludes a concurrent save that may show the file:
            // both update the owner's storage use.
            diesel::update(account_storage::table.find(owner))
                .set(account_storage::used_bytes.eq(account_storage::used_bytes))
                .execute(connection)?;
            let shown =
                diesel::dsl::exists(idea_files::table.filter(idea_files::file_id.eq(files::id)));
            let shown_before = diesel::dsl::exists(
                revision_files::table.filter(revision_files::file_id.eq(files::id)),
            );
            let unshown = files::table
                .filter(files::id.eq(&id))
                .filter(diesel::dsl::not(shown))
                .filter(diesel::dsl::not(shown_before));
            Ok(diesel::delete(unshown).execute(connection)? == 1)
        })
    }

    fn existing_files(&mut self, ids: &[FileId]) -> Result<Vec<FileId>, DatabaseError> {
        self.run("look up files", |connection| {
            let mut existing = Vec::with_capacity(ids.len());
            for batch in ids.chunks(BATCH) {
                let found: Vec<String> = files::table
                    .filter(files::id.eq_any(batch.iter().map(ToString::to_string)))
                    .select(files::id)
                    .load(connection)?;
                for id in found {
                    existing.push(stored::parsed("file id", &id)?);
                }
            }
            Ok(existing)
        })
    }
}

/// Records which files an idea shows in that revision. Skips files of other accounts and
/// missing ones, since naming a file must not disclose it, and PDFs in HTML, since a PDF
/// belongs to the one idea whose content it is.
pub(super) fn add_shown_files(
    connection: &mut Connection,
    (idea, revision): (i64, i32),
    owner: UserId,
    content: &Content,
) -> QueryResult<()> {
    let kind = match content.kind() {
        ContentKind::Pdf => FileKind::Pdf,
        ContentKind::Html | ContentKind::Canvas | ContentKind::Legacy => FileKind::Image,
    };
    let named: Vec<String> = content.files().iter().map(ToString::to_string).collect();
    for batch in named.chunks(BATCH) {
        let own: Vec<String> = files::table
            .filter(files::owner_id.eq(owner.to_string()))
            .filter(files::kind.eq(kind.as_str()))
            .filter(files::id.eq_any(batch))
            .select(files::id)
            .load(connection)?;
        for file in own {
            diesel::insert_into(idea_files::table)
                .values((idea_files::idea_id.eq(idea), idea_files::file_id.eq(&file)))
                .execute(connection)?;
            diesel::insert_into(revision_files::table)
                .values((
                    revision_files::idea_id.eq(idea),
                    revision_files::number.eq(revision),
                    revision_files::file_id.eq(&file),
                ))
                .execute(connection)?;
        }
    }
    Ok(())
}

/// Deletes the records of which files an idea shows.
pub(super) fn delete_shown_files(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    diesel::delete(idea_files::table.filter(idea_files::idea_id.eq(idea))).execute(connection)?;
    Ok(())
}

/// Deletes the records of which files the revisions of an idea show.
pub(super) fn delete_files_of_revisions(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    let shown = revision_files::table.filter(revision_files::idea_id.eq(idea));
    diesel::delete(shown).execute(connection)?;
    Ok(())
}
