//! Bytes that accounts have stored, kept by triggers, and their quotas.

use diesel::dsl::sql;
use diesel::prelude::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};
use diesel::sql_types::BigInt;

use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, StorageUse};
use ideavault_domain::quota::{AccountStorage, ByteSize};

use super::schema::{account_storage, vault_storage};
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored;

impl StorageUse for Repository<'_> {
    fn storage_of(&mut self, user: UserId) -> Result<AccountStorage, DatabaseError> {
        self.run("read what an account stores", |connection| {
            let row: Option<(i64, Option<i64>)> = account_storage::table
                .find(user.to_string())
                .select((account_storage::used_bytes, account_storage::quota_bytes))
                .first(connection)
                .optional()?;
            let Some((used, quota)) = row else {
                return Ok(AccountStorage::default());
            };
            let size = |bytes: i64| stored::required("size", u64::try_from(bytes).ok());
            Ok(AccountStorage {
                used: size(used)?,
                quota: quota.map(size).transpose()?.map(ByteSize::from_bytes),
            })
        })
    }

    fn vault_storage(&mut self) -> Result<u64, DatabaseError> {
        self.run("add up what the vault stores", total)
    }

    fn lock_vault_storage(&mut self) -> Result<u64, DatabaseError> {
        self.run("add up what the vault stores", |connection| {
            // Changes nothing, but locks the total against concurrent checks.
            diesel::update(vault_storage::table)
                .set(vault_storage::one.eq(vault_storage::one))
                .execute(connection)?;
            total(connection)
        })
    }

    fn set_storage_quota(
        &mut self,
        user: UserId,
        quota: Option<ByteSize>,
    ) -> Result<(), DatabaseError> {
        self.run("set a storage quota", |connection| {
            let bytes = quota
                .map(|quota| stored::required("size", i64::try_from(quota.bytes()).ok()))
                .transpose()?;
            diesel::insert_into(account_storage::table)
                .values((
                    account_storage::user_id.eq(user.to_string()),
                    account_storage::used_bytes.eq(0),
                    account_storage::quota_bytes.eq(bytes),
                ))
                .on_conflict(account_storage::user_id)
                .do_update()
                .set(account_storage::quota_bytes.eq(bytes))
                .execute(connection)?;
            Ok(())
        })
    }
}

fn total(connection: &mut Connection) -> QueryResult<u64> {
    // On Postgres a sum of bigints is a numeric.
    let total = sql::<BigInt>("CAST(coalesce(sum(used_bytes), 0) AS BIGINT)");
    let total: i64 = account_storage::table.select(total).first(connection)?;
    stored::required("size", u64::try_from(total).ok())
}
