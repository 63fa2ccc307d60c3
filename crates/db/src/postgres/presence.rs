//! Detects a database that a server has initialised.

use std::error::Error;

use diesel::connection::Connection as _;
use diesel::prelude::{QueryDsl as _, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::Bool;

use super::Connection;
use super::address::with_parameters;
use super::repo::schema::master_key;
use crate::error::ConnectError;

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Bool)]
    exists: bool,
}

/// See [`crate::SqlDatabase::is_initialised`].
pub(crate) fn is_initialised(url: &str) -> Result<bool, ConnectError> {
    // Before libpq does it; see the pool.
    openssl_sys::init();
    read(url).map_err(ConnectError::Unreadable)
}

fn read(url: &str) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let mut connection = Connection::establish(&with_parameters(url))?;
    let table = diesel::sql_query("SELECT to_regclass('master_key') IS NOT NULL AS exists");
    if !table.get_result::<Table>(&mut connection)?.exists {
        return Ok(false);
    }
    let keys: i64 = master_key::table.count().get_result(&mut connection)?;
    Ok(keys > 0)
}
