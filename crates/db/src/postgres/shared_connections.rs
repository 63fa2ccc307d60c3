//! Detects a connection pooler that shares connections between transactions, as PgBouncer does with
//! `pool_mode = transaction` or `statement`. Prepared statements, settings and locks of a connection
//! would be those of whoever gets it next.

use diesel::connection::Connection as _;
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{Nullable, Text};

use super::Connection;
use super::address::with_parameters;
use crate::error::ConnectError;

/// A setting that Postgres does not know and keeps for whoever has set it.
const MARK: &str = "SELECT set_config('ideavault.mark', pg_backend_pid()::text, false) AS mark";
const READ: &str = "SELECT nullif(current_setting('ideavault.mark', true), '') AS mark";
const CLEAR: &str = "SELECT set_config('ideavault.mark', '', false) AS mark";

#[derive(QueryableByName)]
struct Mark {
    #[diesel(sql_type = Nullable<Text>)]
    mark: Option<String>,
}

/// How often to look: what others do by way of the pooler meanwhile can hide that it shares.
const TRIES: usize = 3;

/// Fails unless `one` and another connection each have the settings that were set on them, and no
/// others. Both are idle in between, so that a pooler gives one the server's connection of the other.
/// The caller has no other connection at work.
pub(super) fn refuse(one: &mut Connection, url: &str) -> Result<(), ConnectError> {
    let mut other = Connection::establish(&with_parameters(url))
        .map_err(|error| ConnectError::Unreadable(error.into()))?;
    for _ in 0..TRIES {
        if are_shared(one, &mut other).map_err(|error| ConnectError::Unreadable(error.into()))? {
            return Err(ConnectError::SharedConnections);
        }
    }
    Ok(())
}

fn are_shared(one: &mut Connection, other: &mut Connection) -> QueryResult<bool> {
    let marked = mark(one, MARK)?;
    let is_seen = mark(other, READ)?.is_some();
    let is_kept = mark(one, READ)? == marked;
    // A pooler keeps the connection, for whoever comes.
    mark(one, CLEAR)?;
    Ok(is_seen || !is_kept)
}

fn mark(connection: &mut Connection, query: &str) -> QueryResult<Option<String>> {
    let read = diesel::sql_query(query).get_result::<Mark>(connection)?;
    Ok(read.mark)
}
