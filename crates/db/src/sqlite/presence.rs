//! Detects a file that a server has initialised as its database.

use std::error::Error;
use std::path::Path;

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::prelude::{QueryDsl as _, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::BigInt;

use super::Connection;
use super::repo::schema::master_key;
use crate::error::ConnectError;

#[derive(QueryableByName)]
struct Tables {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// See [`crate::SqlDatabase::is_initialised`].
pub(crate) fn is_initialised(path: &Path) -> Result<bool, ConnectError> {
    let file = |source| ConnectError::File {
        path: path.to_owned(),
        source,
    };
    if !path.try_exists().map_err(file)? {
        return Ok(false);
    }
    let full = std::path::absolute(path).map_err(file)?;
    read(&full).map_err(|source| ConnectError::Sqlite {
        path: path.to_owned(),
        source,
    })
}

fn read(path: &Path) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let path = path.to_str().ok_or("the path is not UTF-8")?;
    let mut connection = Connection::establish(path)?;
    // A server that ends locks the file for a moment.
    connection.batch_execute("PRAGMA busy_timeout = 2500")?;
    let tables = diesel::sql_query(
        "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table' AND name = 'master_key'",
    );
    if tables.get_result::<Tables>(&mut connection)?.count == 0 {
        return Ok(false);
    }
    let keys: i64 = master_key::table.count().get_result(&mut connection)?;
    Ok(keys > 0)
}
