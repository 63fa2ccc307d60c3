//! The key of cookies, sealed with the master key; all instances share it.

use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl};

use ideavault_domain::keys::{CookieKey, MasterSealed};
use ideavault_domain::ports::{DatabaseError, Encryption, StoredCookieKey};

use super::current_key::sealed_under_current;
use super::schema::cookie_key;
use super::{Connection, Repository};
use crate::error::{QueryError, QueryResult};
use crate::stored;

fn sealed(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    key: &CookieKey,
) -> QueryResult<Vec<u8>> {
    let what = MasterSealed::CookieKey;
    sealed_under_current(connection, encryption, what, key.as_bytes())
}

fn on_record(connection: &mut Connection) -> QueryResult<Vec<u8>> {
    let key = cookie_key::table.select(cookie_key::sealed);
    Ok(key.first(connection)?)
}

fn open(encryption: &dyn Encryption, sealed: &[u8]) -> QueryResult<CookieKey> {
    let bytes = encryption
        .open_with_master(MasterSealed::CookieKey, sealed)
        .map_err(QueryError::Decryption)?;
    stored::required("cookie key", bytes.try_into().ok()).map(CookieKey::from_random)
}

impl StoredCookieKey for Repository<'_> {
    fn init_cookie_key(&mut self, new: &CookieKey) -> Result<CookieKey, DatabaseError> {
        let encryption = self.encryption;
        self.run("init the cookie key", |connection| {
            let fresh = sealed(connection, encryption, new)?;
            diesel::insert_into(cookie_key::table)
                .values((cookie_key::one.eq(1), cookie_key::sealed.eq(&fresh)))
                .on_conflict_do_nothing()
                .execute(connection)?;
            let found = on_record(connection)?;
            let error = match open(encryption, &found) {
                Ok(key) => return Ok(key),
                Err(error) => error,
            };
            tracing::error!(%error, "replaced the cookie key, which ends all sessions");
            // Of several servers, one replaces it, and the others take that one.
            diesel::update(cookie_key::table.filter(cookie_key::sealed.eq(found)))
                .set(cookie_key::sealed.eq(fresh))
                .execute(connection)?;
            open(encryption, &on_record(connection)?)
        })
    }

    fn replace_cookie_key(&mut self, new: &CookieKey) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("replace the cookie key", |connection| {
            let fresh = sealed(connection, encryption, new)?;
            diesel::insert_into(cookie_key::table)
                .values((cookie_key::one.eq(1), cookie_key::sealed.eq(&fresh)))
                .on_conflict(cookie_key::one)
                .do_update()
                .set(cookie_key::sealed.eq(&fresh))
                .execute(connection)?;
            Ok(())
        })
    }
}
