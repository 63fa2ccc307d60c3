//! SQLite's counter of changes.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::prelude::{QueryResult, RunQueryDsl};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Integer;
use ideavault_domain::ports::DatabaseError;

use super::Connection;
use crate::data_version::{DataVersion, Version};
use crate::error::failed;

// It reads one page.
const SETUP: &str = "
    PRAGMA busy_timeout = 0;
    PRAGMA query_only = ON;
    PRAGMA cache_size = -16;
";

/// Reads the versions of one file, all on one connection: the counter is that connection's own.
pub(super) struct DataVersions(Mutex<Connection>);

/// `PRAGMA data_version`, as a statement that is prepared once. It changes when another
/// connection, of any process, has committed a change.
#[derive(QueryId)]
struct Changes;

impl QueryFragment<diesel::sqlite::Sqlite> for Changes {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, diesel::sqlite::Sqlite>) -> QueryResult<()> {
        out.push_sql("PRAGMA data_version");
        Ok(())
    }
}

impl Query for Changes {
    type SqlType = Integer;
}

impl RunQueryDsl<Connection> for Changes {}

impl DataVersions {
    pub(super) fn of(path: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut connection = Connection::establish(path)?;
        connection.batch_execute(SETUP)?;
        Ok(Self(Mutex::new(connection)))
    }

    /// Reads the version. Waits for nothing but other callers, each of which reads one page at
    /// most.
    ///
    /// # Errors
    /// [`DatabaseError`], also while another process locks readers out.
    pub(super) fn current(&self) -> Result<DataVersion, DatabaseError> {
        // Whatever panicked, the connection is in no transaction.
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Changes
            .get_result(&mut *connection)
            .map(|changes| DataVersion(Version::Sqlite(changes)))
            .map_err(failed("read the version of the data"))
    }
}
