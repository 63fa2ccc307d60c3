//! One rotation of the master key at a time, across all machines.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::Bool;

use ideavault_domain::ports::DatabaseError;

use super::pool::{Pooled, Postgres};
use crate::error::{failed, unavailable};

/// Takes the advisory lock 'idearota' (in ASCII). It ends with the connection, so that
/// no process can leave it behind.
const LOCK: &str = "SELECT pg_try_advisory_lock(x'69646561726f7461'::bigint) AS is_free";
const UNLOCK: &str = "SELECT pg_advisory_unlock(x'69646561726f7461'::bigint)";

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    is_free: bool,
}

/// The lock, on a connection that nothing else uses meanwhile.
pub(crate) struct RotationLock(Pooled);

impl RotationLock {
    /// Takes the lock; returns `None` if it is held.
    pub(super) fn take(mut connection: Pooled) -> QueryResult<Option<Self>> {
        let answer = diesel::sql_query(LOCK).get_result::<Answer>(&mut connection)?;
        Ok(answer.is_free.then_some(Self(connection)))
    }
}

impl Drop for RotationLock {
    fn drop(&mut self) {
        if let Err(error) = self.0.batch_execute(UNLOCK) {
            tracing::debug!(%error, "the rotation lock was lost with its connection");
        }
    }
}

impl Postgres {
    /// See [`crate::SqlDatabase::lock_rotation`].
    pub(crate) fn lock_rotation(&self) -> Result<Option<RotationLock>, DatabaseError> {
        let operation = "lock the rotation";
        let connection = self.connections.get().map_err(unavailable(operation))?;
        RotationLock::take(connection).map_err(failed(operation))
    }
}
