//! The rotation of the master key: rewraps values under former keys.
//!
//! Invariant: a value is rewrapped only if the row still has the value that was read. A
//! concurrent transaction may have destroyed a key, which must not come back, or
//! stored another secret. One that cannot be decrypted stays as it is.

mod rows;

use diesel::dsl::not;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods,
    OptionalExtension, QueryDsl, RunQueryDsl,
};
use diesel::sql_types::{Binary, Integer};

use ideavault_domain::file;
use ideavault_domain::ids::{FileId, MailId, ShareId, UserId};
use ideavault_domain::keys::{DamagedValue, MasterKeyId, MasterSealed};
use ideavault_domain::ports::{DatabaseError, Encryption, MasterKeys};

use super::cipher::IdeaKeyKind;
use super::current_key::current;
use super::schema::{
    address_key, cookie_key, evidence_log_keys, file_keys, idea_keys, ideas, master_key,
    outbox_mails, shares, two_factors, working_copies,
};
use super::working_copies::key_aad;
use super::{Connection, Repository, addresses};
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
    fn master_key(&mut self) -> Result<Option<MasterKeyId>, DatabaseError> {
        self.run("read the master key's id", |connection| {
            // Without a lock, which a transaction that only reads cannot take.
            let id = master_key::table.select(master_key::id);
            let id: Option<Vec<u8>> = id.first(connection).optional()?;
            id.map(|id| {
                let bytes = id.try_into().ok();
                stored::required("master key id", bytes).map(MasterKeyId::from_bytes)
            })
            .transpose()
        })
    }

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

    fn rewrap_batch(
        &mut self,
        limit: usize,
        damaged: &mut Vec<DamagedValue>,
    ) -> Result<usize, DatabaseError> {
        let encryption = self.encryption;
        self.run("rewrap", |connection| {
            let current = stored::required("master key id", current(connection)?)?;
            // Values rewrapped with another key would never count as done.
            encryption
                .activate(current)
                .map_err(QueryError::MasterKeyMissing)?;
            let limit = stored::required("limit", i64::try_from(limit).ok())?;
            // First the one that servers need while they start.
            let areas = [
                rewrap_cookie_key,
                rewrap_address_key,
                rewrap_idea_keys,
                rewrap_file_keys,
                rewrap_keys_of_working_copies,
                rewrap_share_tokens,
                rewrap_mails,
                rewrap_totp_secrets,
                rewrap_log_seeds,
                rows::rewrap_events,
                rows::rewrap_checkpoints,
                rows::rewrap_anchors,
            ];
            let mut batch = Batch {
                encryption,
                current: current.as_bytes(),
                limit,
                damaged,
            };
            for rewrap in areas {
                let processed = rewrap(connection, &mut batch)?;
                if processed > 0 {
                    return Ok(processed);
                }
            }
            Ok(0)
        })
    }
}

/// The values that are rewrapped in one transaction, and the damaged ones found so far.
struct Batch<'b> {
    encryption: &'b dyn Encryption,
    current: &'b [u8],
    limit: i64,
    damaged: &'b mut Vec<DamagedValue>,
}

impl Batch<'_> {
    /// Returns the value under the current key; `None`, and remembers it, if it cannot be
    /// decrypted.
    fn rewrap(
        &mut self,
        (area, id): (&'static str, &str),
        what: MasterSealed<'_>,
        sealed: &[u8],
    ) -> Option<Vec<u8>> {
        match self.encryption.rewrap(what, sealed) {
            Ok(rewrapped) => Some(rewrapped),
            Err(error) => {
                tracing::error!(area, id, %error, "could not rewrap a value");
                let id = id.to_owned();
                self.damaged.push(DamagedValue { area, id });
                None
            }
        }
    }

    /// Returns the ids of the values of an area that cannot be decrypted.
    fn damaged_in(&self, area: &str) -> Vec<String> {
        let damaged = self.damaged.iter().filter(|value| value.area == area);
        damaged.map(|value| value.id.clone()).collect()
    }
}

const COOKIE_KEY: &str = "key of";
const ADDRESS_KEY: &str = "key of hashes of";
const IDEA_KEYS: &str = "keys of idea";
const FILE_KEYS: &str = "key of file";
/// Followed by account, idea and editing session.
const WORKING_COPIES: &str = "key of unsaved text of";
const SHARE_TOKENS: &str = "token of link";
const MAILS: &str = "waiting mail";
const TOTP_SECRETS: &str = "authenticator secret of account";
const LOG_SEEDS: &str = "seed of log";

/// An idea's id, its owner, its wrapped content key and its wrapped evidence key.
type IdeaKeyRow = (i64, String, Option<Vec<u8>>, Vec<u8>);

fn rewrap_cookie_key(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    if !batch.damaged_in(COOKIE_KEY).is_empty() {
        return Ok(0);
    }
    let sealed: Option<Vec<u8>> = cookie_key::table
        .filter(part(cookie_key::sealed, 1, ID_LENGTH).ne(batch.current))
        .select(cookie_key::sealed)
        .first(connection)
        .optional()?;
    let Some(sealed) = sealed else {
        return Ok(0);
    };
    let what = MasterSealed::CookieKey;
    if let Some(rewrapped) = batch.rewrap((COOKIE_KEY, "cookies"), what, &sealed) {
        diesel::update(cookie_key::table.filter(cookie_key::sealed.eq(sealed)))
            .set(cookie_key::sealed.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(1)
}

fn rewrap_address_key(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    if !batch.damaged_in(ADDRESS_KEY).is_empty() {
        return Ok(0);
    }
    let sealed: Option<Vec<u8>> = address_key::table
        .filter(part(address_key::sealed, 1, ID_LENGTH).ne(batch.current))
        .select(address_key::sealed)
        .first(connection)
        .optional()?;
    let Some(sealed) = sealed else {
        return Ok(0);
    };
    let what = MasterSealed::DataKey(addresses::KEY_AAD);
    if let Some(rewrapped) = batch.rewrap((ADDRESS_KEY, "addresses"), what, &sealed) {
        diesel::update(address_key::table.filter(address_key::sealed.eq(sealed)))
            .set(address_key::sealed.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(1)
}

fn rewrap_idea_keys(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let content = part(idea_keys::content.assume_not_null(), 1, ID_LENGTH);
    let old_content = idea_keys::content
        .is_not_null()
        .and(content.ne(batch.current));
    let damaged = batch.damaged_in(IDEA_KEYS);
    let damaged = damaged.iter().filter_map(|id| id.parse::<i64>().ok());
    let rows: Vec<IdeaKeyRow> = idea_keys::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
        .filter(old_content.or(part(idea_keys::evidence, 1, ID_LENGTH).ne(batch.current)))
        .filter(idea_keys::idea_id.ne_all(damaged))
        .select((
            idea_keys::idea_id,
            ideas::owner_id,
            idea_keys::content,
            idea_keys::evidence,
        ))
        .limit(batch.limit)
        .load(connection)?;
    for (idea, owner, content, evidence) in &rows {
        let mut rewrap = |kind: IdeaKeyKind, key: &[u8]| {
            let aad = kind.aad(*idea, owner);
            let id = idea.to_string();
            batch.rewrap((IDEA_KEYS, &id), MasterSealed::DataKey(&aad), key)
        };
        let new_content = match content {
            Some(key) => match rewrap(IdeaKeyKind::Content, key) {
                None => continue,
                rewrapped => rewrapped,
            },
            None => None,
        };
        let Some(new_evidence) = rewrap(IdeaKeyKind::Evidence, evidence) else {
            continue;
        };
        // A content key that was destroyed meanwhile must not come back.
        let unchanged = idea_keys::table
            .find(idea)
            .filter(idea_keys::content.is_null().eq(content.is_none()))
            .filter(idea_keys::evidence.eq(evidence));
        diesel::update(unchanged)
            .set((
                idea_keys::content.eq(new_content),
                idea_keys::evidence.eq(new_evidence),
            ))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_file_keys(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = file_keys::table
        .filter(part(file_keys::wrapped, 1, ID_LENGTH).ne(batch.current))
        .filter(file_keys::file_id.ne_all(batch.damaged_in(FILE_KEYS)))
        .limit(batch.limit)
        .load(connection)?;
    for (id, wrapped) in &rows {
        let aad = file::key_aad(stored::parsed::<FileId>("file id", id)?);
        let what = MasterSealed::DataKey(&aad);
        let Some(rewrapped) = batch.rewrap((FILE_KEYS, id), what, wrapped) else {
            continue;
        };
        let unchanged = file_keys::table
            .find(id)
            .filter(file_keys::wrapped.eq(wrapped));
        diesel::update(unchanged)
            .set(file_keys::wrapped.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_keys_of_working_copies(
    connection: &mut Connection,
    batch: &mut Batch<'_>,
) -> QueryResult<usize> {
    let damaged = batch.damaged_in(WORKING_COPIES);
    let mut old = working_copies::table
        .filter(part(working_copies::wrapped_key, 1, ID_LENGTH).ne(batch.current))
        .select((
            working_copies::owner_id,
            working_copies::idea_id,
            working_copies::session,
            working_copies::wrapped_key,
        ))
        .limit(batch.limit)
        .into_boxed();
    for name in &damaged {
        let mut parts = name.splitn(3, ' ');
        if let (Some(owner), Some(Ok(idea)), Some(session)) = (
            parts.next(),
            parts.next().map(str::parse::<i64>),
            parts.next(),
        ) {
            let key = working_copies::owner_id.eq(owner);
            let key = key.and(working_copies::idea_id.eq(idea));
            old = old.filter(not(key.and(working_copies::session.eq(session))));
        }
    }
    let rows: Vec<(String, i64, String, Vec<u8>)> = old.load(connection)?;
    for (owner, idea, session, wrapped) in &rows {
        let aad = key_aad(owner, *idea);
        let what = MasterSealed::DataKey(&aad);
        let name = format!("{owner} {idea} {session}");
        let Some(rewrapped) = batch.rewrap((WORKING_COPIES, &name), what, wrapped) else {
            continue;
        };
        let unchanged = working_copies::table
            .find((owner, idea, session))
            .filter(working_copies::wrapped_key.eq(wrapped));
        diesel::update(unchanged)
            .set(working_copies::wrapped_key.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_share_tokens(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = shares::table
        .filter(part(shares::token_sealed, 1, ID_LENGTH).ne(batch.current))
        .filter(shares::id.ne_all(batch.damaged_in(SHARE_TOKENS)))
        .select((shares::id, shares::token_sealed))
        .limit(batch.limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::ShareToken(stored::parsed::<ShareId>("share id", id)?);
        let Some(rewrapped) = batch.rewrap((SHARE_TOKENS, id), what, sealed) else {
            continue;
        };
        let unchanged = shares::table
            .find(id)
            .filter(shares::token_sealed.eq(sealed));
        diesel::update(unchanged)
            .set(shares::token_sealed.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_mails(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = outbox_mails::table
        .filter(part(outbox_mails::sealed, 1, ID_LENGTH).ne(batch.current))
        .filter(outbox_mails::id.ne_all(batch.damaged_in(MAILS)))
        .select((outbox_mails::id, outbox_mails::sealed))
        .limit(batch.limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::Mail(stored::parsed::<MailId>("mail id", id)?);
        let Some(rewrapped) = batch.rewrap((MAILS, id), what, sealed) else {
            continue;
        };
        let unchanged = outbox_mails::table
            .find(id)
            .filter(outbox_mails::sealed.eq(sealed));
        diesel::update(unchanged)
            .set(outbox_mails::sealed.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_totp_secrets(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = two_factors::table
        .filter(part(two_factors::secret_sealed, 1, ID_LENGTH).ne(batch.current))
        .filter(two_factors::user_id.ne_all(batch.damaged_in(TOTP_SECRETS)))
        .select((two_factors::user_id, two_factors::secret_sealed))
        .limit(batch.limit)
        .load(connection)?;
    for (id, sealed) in &rows {
        let what = MasterSealed::TotpSecret(stored::parsed::<UserId>("user id", id)?);
        let Some(rewrapped) = batch.rewrap((TOTP_SECRETS, id), what, sealed) else {
            continue;
        };
        let unchanged = two_factors::table
            .find(id)
            .filter(two_factors::secret_sealed.eq(sealed));
        diesel::update(unchanged)
            .set(two_factors::secret_sealed.eq(rewrapped))
            .execute(connection)?;
    }
    Ok(rows.len())
}

fn rewrap_log_seeds(connection: &mut Connection, batch: &mut Batch<'_>) -> QueryResult<usize> {
    let rows: Vec<(String, Vec<u8>)> = evidence_log_keys::table
        .filter(part(evidence_log_keys::seed, 1, ID_LENGTH).ne(batch.current))
        .filter(evidence_log_keys::vkey.ne_all(batch.damaged_in(LOG_SEEDS)))
        .select((evidence_log_keys::vkey, evidence_log_keys::seed))
        .limit(batch.limit)
        .load(connection)?;
    for (vkey, sealed) in &rows {
        let what = MasterSealed::LogSeed(vkey);
        let Some(seed) = batch.rewrap((LOG_SEEDS, vkey), what, sealed) else {
            continue;
        };
        let unchanged = evidence_log_keys::table
            .filter(evidence_log_keys::vkey.eq(vkey))
            .filter(evidence_log_keys::seed.eq(sealed));
        diesel::update(unchanged)
            .set(evidence_log_keys::seed.eq(seed))
            .execute(connection)?;
    }
    Ok(rows.len())
}
