//! Postgres' visible transactions.

use std::sync::OnceLock;

use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::query_builder::QueryId;
use diesel::sql_types::{Bool, SqlType, Text, Timestamptz};

use super::Connection;
use crate::data_version::{DataVersion, Version};
use crate::error::{QueryError, QueryResult as Outcome};

/// Postgres' type of the same name.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(name = "pg_snapshot"))]
pub struct PgSnapshot;

diesel::define_sql_function! {
    /// Returns which transactions are visible.
    fn pg_current_snapshot() -> PgSnapshot;
}

diesel::define_sql_function! {
    /// Returns when the server started.
    fn pg_postmaster_start_time() -> Timestamptz;
}

diesel::define_sql_function! {
    /// Returns all as one text.
    fn concat(snapshot: PgSnapshot, separator: Text, started: Timestamptz) -> Text;
}

/// Reads the versions of the data of one server.
#[derive(Default)]
pub(super) struct DataVersions {
    /// Whether one server numbers all transactions; unknown before it was asked.
    are_known: OnceLock<bool>,
}

#[derive(QueryableByName)]
struct Server {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = Bool)]
    has_citus: bool,
}

impl DataVersions {
    /// Reads the current version. A transaction becomes visible with its commit, so that whoever
    /// sees the same ones sees the same data.
    pub(super) fn current(&self, connection: &mut Connection) -> Outcome<DataVersion> {
        let are_known = match self.are_known.get() {
            Some(known) => *known,
            None => {
                let server = server(connection)?;
                *self.are_known.get_or_init(|| server.numbers_all())
            }
        };
        if !are_known {
            return Err(QueryError::NoVersions);
        }
        let version = concat(pg_current_snapshot(), " ", pg_postmaster_start_time());
        let version = diesel::select(version).get_result(connection)?;
        Ok(DataVersion(Version::Postgres(version)))
    }
}

fn server(connection: &mut Connection) -> QueryResult<Server> {
    diesel::sql_query(
        "SELECT version() AS version, \
         EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS has_citus",
    )
    .get_result(connection)
}

impl Server {
    /// Returns whether this is Postgres itself. Databases that speak its protocol spread
    /// transactions over several servers, of which one snapshot does not know.
    fn numbers_all(&self) -> bool {
        let number = self.version.strip_prefix("PostgreSQL ");
        let number = number.and_then(|rest| rest.split(' ').next());
        let is_released = number.is_some_and(|number| {
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        });
        is_released && !self.has_citus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_postgres_itself_numbers_all_transactions() {
        for (version, has_citus, expected) in [
            (
                "PostgreSQL 15.10 (Debian 15.10-0+deb12u1) on x86_64",
                false,
                true,
            ),
            ("PostgreSQL 18.0 on aarch64-unknown-linux-gnu", false, true),
            ("PostgreSQL 16.4 on x86_64-pc-linux-gnu", true, false),
            ("PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64", false, false),
            (
                "CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu)",
                false,
                false,
            ),
            ("PostgreSQL ", false, false),
        ] {
            let server = Server {
                version: version.into(),
                has_citus,
            };
            assert_eq!(server.numbers_all(), expected, "{version}");
        }
    }
}
