//! Queries that lock rows which they read.

use diesel::QueryResult;
use diesel::prelude::RunQueryDsl;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};

use super::Connection;

type Backend = <Connection as diesel::Connection>::Backend;

/// A query that ends with a locking clause: diesel's own would lock the rows of every table that
/// is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locking<Q> {
    query: Q,
    clause: &'static str,
}

impl<Q> Locking<Q> {
    pub(super) fn new(query: Q, clause: &'static str) -> Self {
        Self { query, clause }
    }
}

impl<Q: QueryFragment<Backend>> QueryFragment<Backend> for Locking<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        self.query.walk_ast(out.reborrow())?;
        out.push_sql(self.clause);
        Ok(())
    }
}

impl<Q> QueryId for Locking<Q> {
    type QueryId = ();

    // The clause is no part of the type.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Locking<Q> {
    type SqlType = Q::SqlType;
}

impl<Q> RunQueryDsl<Connection> for Locking<Q> {}
