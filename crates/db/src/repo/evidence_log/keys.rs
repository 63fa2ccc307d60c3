//! The keys that sign a log.

use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl};

use ideavault_domain::evidence::{LogId, LogSeed, StoredLogKey};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::ports::Encryption;

use super::super::Connection;
use super::super::current_key::sealed_under_current;
use super::super::damage::Readable;
use super::super::schema::evidence_log_keys;
use super::rows::{column, natural};
use crate::error::{QueryError, QueryResult};
use crate::stored;

/// Returns the keys of a log, oldest first.
pub(super) fn of_log(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    log: LogId,
) -> QueryResult<Vec<StoredLogKey>> {
    let rows: Vec<(i64, String, Vec<u8>)> = evidence_log_keys::table
        .filter(evidence_log_keys::log.eq(log.as_i32()))
        .order(evidence_log_keys::from_size)
        .select((
            evidence_log_keys::from_size,
            evidence_log_keys::vkey,
            evidence_log_keys::seed,
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(from_size, vkey, sealed)| {
            let seed = encryption
                .open_with_master(MasterSealed::LogSeed(&vkey), &sealed)
                .map_err(QueryError::Decryption)
                .and_then(|seed| stored::required("key of the log", seed.try_into().ok()));
            // Its public part is needed without it.
            let seed = readable.unless_damaged(connection, ("key of the log", &vkey), seed)?;
            Ok(StoredLogKey {
                log,
                from_size: natural(from_size)?,
                vkey,
                seed: seed.map(LogSeed::from_random),
            })
        })
        .collect()
}

/// Adds a key to its log.
pub(super) fn add(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    key: &StoredLogKey,
) -> QueryResult<()> {
    let what = MasterSealed::LogSeed(&key.vkey);
    let seed = stored::required("key of the log", key.seed.as_ref())?;
    let seed = sealed_under_current(connection, encryption, what, seed.as_bytes())?;
    diesel::insert_into(evidence_log_keys::table)
        .values((
            evidence_log_keys::log.eq(key.log.as_i32()),
            evidence_log_keys::from_size.eq(column(key.from_size)?),
            evidence_log_keys::vkey.eq(&key.vkey),
            evidence_log_keys::seed.eq(seed),
        ))
        .execute(connection)?;
    Ok(())
}
