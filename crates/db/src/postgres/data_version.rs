//! Postgres' visible transactions.

use std::sync::OnceLock;

use diesel::pg::Pg;
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, Binary, Bool, Nullable, SqlType, Text, Timestamptz};
use ideavault_domain::account::UserSession;
use ideavault_domain::token::TokenHash;

use super::Connection;
use super::repo::user_sessions::UserSessionRow;
use crate::data_version::{DataVersion, Version};
use crate::error::{QueryError, QueryResult as Outcome};
use crate::stored;

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
    /// Reads the current version. A transaction becomes visible with its commit, so that readers
    /// who see the same ones see the same data.
    pub(super) fn current(&self, connection: &mut Connection) -> Outcome<DataVersion> {
        self.require_known(connection)?;
        let version = concat(pg_current_snapshot(), " ", pg_postmaster_start_time());
        let version = diesel::select(version).get_result(connection)?;
        Ok(DataVersion(Version::Postgres(version)))
    }

    /// Reads the current version, and the sessions with these keys in the same snapshot.
    pub(super) fn current_with_sessions(
        &self,
        connection: &mut Connection,
        keys: &[TokenHash],
    ) -> Outcome<(DataVersion, Vec<UserSession>)> {
        self.require_known(connection)?;
        let keys = keys.iter().map(|key| key.as_bytes().as_slice()).collect();
        let rows: Vec<(String, Option<UserSessionRow>)> = WithSessions { keys }.load(connection)?;
        let mut version = None;
        let mut sessions = Vec::new();
        for (read, session) in rows {
            version = Some(read);
            sessions.extend(session.map(UserSessionRow::into_session).transpose()?);
        }
        let version = stored::required("version of the data", version)?;
        Ok((DataVersion(Version::Postgres(version)), sessions))
    }

    fn require_known(&self, connection: &mut Connection) -> Outcome<()> {
        let are_known = match self.are_known.get() {
            Some(known) => *known,
            None => {
                let server = server(connection)?;
                *self.are_known.get_or_init(|| server.numbers_all())
            }
        };
        if are_known {
            Ok(())
        } else {
            Err(QueryError::NoVersions)
        }
    }
}

/// A statement that returns the version in each of its rows, of which there is at least one, and
/// the sessions with these keys.
struct WithSessions<'k> {
    keys: Vec<&'k [u8]>,
}

impl QueryFragment<Pg> for WithSessions<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()), \
             key_hash, user_id, state, created_at, last_seen_at \
             FROM (SELECT) AS one LEFT JOIN user_sessions ON key_hash = ANY(",
        );
        out.push_bind_param::<Array<Binary>, _>(&self.keys)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for WithSessions<'_> {
    type QueryId = WithSessions<'static>;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for WithSessions<'_> {
    type SqlType = (
        Text,
        Nullable<(Binary, Nullable<Text>, Text, Timestamptz, Timestamptz)>,
    );
}

impl RunQueryDsl<Connection> for WithSessions<'_> {}

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
