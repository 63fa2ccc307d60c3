//! One rotation of the master key at a time, whichever machine it runs on.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::Bool;

use super::pool::Pooled;

/// Whoever rotates holds this advisory lock: 'idearota' in ASCII. It goes with the
/// connection, so that no process can leave it behind.
const LOCK: &str = "SELECT pg_try_advisory_lock(x'69646561726f7461'::bigint) AS is_free";
const UNLOCK: &str = "SELECT pg_advisory_unlock(x'69646561726f7461'::bigint)";

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    is_free: bool,
}

/// The lock, on a connection that nobody else uses meanwhile.
pub(crate) struct RotationLock(Pooled);

impl RotationLock {
    /// Takes the lock, unless somebody has it.
    pub(super) fn take(mut connection: Pooled) -> QueryResult<Option<Self>> {
        let answer = diesel::sql_query(LOCK).get_result::<Answer>(&mut connection)?;
        Ok(answer.is_free.then_some(Self(connection)))
    }
}

impl Drop for RotationLock {
    fn drop(&mut self) {
        if let Err(error) = self.0.batch_execute(UNLOCK) {
            tracing::debug!(%error, "the lock of the rotation is gone with its connection");
        }
    }
}
