//! The rotation of the master key: rewraps values under former keys.
//!
//! Invariant: a value is rewrapped only if the row still has the value that was read. A
//! concurrent transaction may have destroyed a key, which must not come back, or
//! stored another secret.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl,
    RunQueryDsl,
};
use diesel::sql_types::{Binary, Integer};

use ideavault_domain::file;
use ideavault_domain::ids::{FileId, MailId, ShareId, UserId};
use ideavault_domain::keys::{MasterKeyId, MasterSealed};
use ideavault_domain::ports::{DatabaseError, MasterKeys, Vault};

use super::current_key::{current, rewrapped};
use super::schema::{
    evidence_log_keys, file_keys, idea_keys, ideas, master_key, outbox_mails, shares, two_factors,
};
use super::seals::IdeaKeyKind;
use super::{Connection, Repository};
use crate::error::{QueryError, QueryResult};
use crate::stored;

/// The length in bytes of the master key's id, with which every encrypted value begins.
const ID_LENGTH: i32 = 8;

diesel::define_sql_function! {
    /// Returns `length` bytes beginning at `start`, counted from 1.
    #[sql_name = "substr"]
    fn part(bytes: Binary, start: Integer, length: Integer) -> Binary;
}

impl MasterKeys for Repository<'_> {
    fn init_master_key(&mut self, id: MasterKeyId) -> Result<MasterKeyId, DatabaseError> {
        self.run("activate a master key", |connection| {
            diesel::insert_into(master_key::table)
                .values((
                    master_key::one.eq(1),
                    master_key::id.eq(id.as_bytes().as_slice()),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            stored::required("master key id", current(connection)?)
        })
    }

    fn replace_master_key(&mut self, id: MasterKeyId) -> Result<(), DatabaseError> {
        self.run("replace the master key", |connection| {
            let id = id.as_bytes().as_slice();
            diesel::insert_into(master_key::table)
                .values((master_key::one.eq(1), master_key::id.eq(id)))
                .on_conflict(master_key::one)
                .do_update()
                .set(master_key::id.eq(id))
                .execute(connection)?;
            Ok(())
        })
    }

    fn rewrap_batch(&mut self, limit: usize) -> Result<usize, DatabaseError> {
        let vault = self.vault;
        self.run("rewrap", |connection| {
            let current = stored::required("master key id", current(connection)?)?;
            // Values rewrapped with another key would never count as done.
            vault
                .activate(current)
                .map_err(QueryError::MasterKeyMissing)?;
            let limit = stored::required("limit", i64::try_from(limit).ok())?;
            let areas = [
                rewrap_idea_keys,
                rewrap_file_keys,
                rewrap_share_tokens,
                rewrap_mails,
                rewrap_totp_secrets,
                rewrap_log_seeds,
            ];
            for rewrap in areas {
                let rewrapped = rewrap(connection, vault, current.as_bytes(), limit)?;
                if rewrapped > 0 {
                    return Ok(rewrapped);
                }
            }
            Ok(0)
        })
    }
}

/// An idea's id, its owner, its wrapped content key and its wrapped evidence key.
type IdeaKeyRow = (i64, String, Option<Vec<u8>>, Vec<u8>);

fn rewrap_idea_keys(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let content = part(idea_keys::content.assume_not_null(), 1, ID_LENGTH);
    let old_content = idea_keys::content.is_not_null().and(content.ne(current));
    let rows: Vec<IdeaKeyRow> = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(old_content.or(part(idea_keys::evidence, 1, ID_LENGTH).ne(current)))
        .select((
            idea_keys::idea_id,
            ideas::owner_id,
            idea_keys::content,
            idea_keys::evidence,
        ))
        .limit(limit)
        .load(connection)?;
    for (idea, owner, content, evidence) in &rows {
        let rewrap = |kind: IdeaKeyKind, key: &[u8]| {
            rewrapped(vault, MasterSealed::DataKey(&kind.aad(*idea, owner)), key)
        };
        let new_content = content
            .as_deref()
            .map(|key| rewrap(IdeaKeyKind::Content, key))
            .transpose()?;
        // A content key that was destroyed meanwhile must not come back.
        let unchanged = idea_keys::table
            .find(idea)
            .filter(idea_keys::content.is_null().eq(content.is_none()))
            .filter(idea_keys::evidence.eq(evidence));
        diesel::update(unchanged)
            .set((
                idea_keys::content.eq(new_content),
                idea_keys::evidence.eq(rewrap(IdeaKeyKind::Evidence, evidence)?),
            ))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_file_keys(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = file_keys::table
        .filter(part(file_keys::wrapped, 1, ID_LENGTH).ne(current))
        .limit(limit)
        .load(connection)?;
    for (id, wrapped) in &rows {
        let aad = file::key_aad(stored::parsed::<FileId>("file id", id)?);
        let unchanged = file_keys::table
            .find(id)
            .filter(file_keys::wrapped.eq(wrapped));
        diesel::update(unchanged)
            .set(file_keys::wrapped.eq(rewrapped(vault, MasterSealed::DataKey(&aad), wrapped)?))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_share_tokens(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = shares::table
        .filter(part(shares::token_sealed, 1, ID_LENGTH).ne(current))
        .select((shares::id, shares::token_sealed))
        .limit(limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::ShareToken(stored::parsed::<ShareId>("share id", id)?);
        let unchanged = shares::table
            .find(id)
            .filter(shares::token_sealed.eq(sealed));
        diesel::update(unchanged)
            .set(shares::token_sealed.eq(rewrapped(vault, what, sealed)?))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_mails(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = outbox_mails::table
        .filter(part(outbox_mails::sealed, 1, ID_LENGTH).ne(current))
        .select((outbox_mails::id, outbox_mails::sealed))
        .limit(limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::Mail(stored::parsed::<MailId>("mail id", id)?);
        let unchanged = outbox_mails::table
            .find(id)
            .filter(outbox_mails::sealed.eq(sealed));
        diesel::update(unchanged)
            .set(outbox_mails::sealed.eq(rewrapped(vault, what, sealed)?))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_totp_secrets(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = two_factors::table
        .filter(part(two_factors::secret_sealed, 1, ID_LENGTH).ne(current))
        .select((two_factors::user_id, two_factors::secret_sealed))
        .limit(limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::TotpSecret(stored::parsed::<UserId>("user id", id)?);
        let unchanged = two_factors::table
            .find(id)
            .filter(two_factors::secret_sealed.eq(sealed));
        diesel::update(unchanged)
            .set(two_factors::secret_sealed.eq(rewrapped(vault, what, sealed)?))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_log_seeds(
    connection: &mut Connection,
    vault: &dyn Vault,
    current: &[u8],
    limit: i64,
) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = evidence_log_keys::table
        .filter(part(evidence_log_keys::seed, 1, ID_LENGTH).ne(current))
        .select((evidence_log_keys::vkey, evidence_log_keys::seed))
        .limit(limit)
        .load(connection)?;
    for (vkey, sealed) in &rows {
        let unchanged = evidence_log_keys::table
            .filter(evidence_log_keys::vkey.eq(vkey))
            .filter(evidence_log_keys::seed.eq(sealed));
        let seed = rewrapped(vault, MasterSealed::LogSeed(vkey), sealed)?;
        diesel::update(unchanged)
            .set(evidence_log_keys::seed.eq(seed))
            .execute(connection)?;
    }
    Ok(rows.len())
}
