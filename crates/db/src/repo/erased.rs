//! Whether the person behind a registration, or the creator of an idea, was erased.
//!
//! Invariant: whatever is written about a person asks this first, so that nothing of an erased
//! person is stored by somebody who read it before.

use diesel::dsl::{exists, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, RunQueryDsl,
};
use diesel::sql_types::{Bool, Text};

use super::schema::evidence_events;
use super::{Connection, LOCK_ACCOUNT, LOCK_RECIPIENT, PROTECT_ACCOUNT, PROTECT_RECIPIENT};
use crate::error::{QueryError, QueryResult};

#[derive(QueryableByName)]
struct ErasedRow {
    #[diesel(sql_type = Bool)]
    erased: bool,
}

/// Returns whether the person was erased. If not, nobody erases it before this transaction
/// ends. A transaction that changes the registration later calls [`lock_recipient`] instead: two
/// that both protect it would wait for each other.
pub(super) fn is_erased(connection: &mut Connection, recipient: &str) -> QueryResult<bool> {
    read(connection, PROTECT_RECIPIENT, recipient)
}

/// Returns whether the person was erased, and locks the registration until this transaction
/// ends.
pub(super) fn lock_recipient(connection: &mut Connection, recipient: &str) -> QueryResult<bool> {
    read(connection, LOCK_RECIPIENT, recipient)
}

fn read(connection: &mut Connection, sql: &str, recipient: &str) -> QueryResult<bool> {
    let row: Option<ErasedRow> = diesel::sql_query(sql)
        .bind::<Text, _>(recipient)
        .get_result(connection)
        .optional()?;
    Ok(row.is_some_and(|row| row.erased))
}

/// Returns the kind of event that records an erasure. A constant of the statement: databases use the
/// indexes of erasures, which are few, only if they know the kind while they plan. Otherwise they
/// read every event of an idea.
pub(super) fn person_erased() -> SqlLiteral<Text> {
    sql("'person.erased'")
}

/// Returns whether the creator of an idea was erased.
pub(super) fn is_creator_erased(connection: &mut Connection, idea: i64) -> QueryResult<bool> {
    let erasure = evidence_events::table
        .filter(evidence_events::idea_id.eq(idea))
        .filter(evidence_events::kind.eq(person_erased()))
        .filter(evidence_events::recipient_id.is_null());
    Ok(diesel::select(exists(erasure)).get_result(connection)?)
}

/// Goes on only if the account exists and is not disabled; it stays so until this transaction
/// ends.
pub(super) fn protect_account(connection: &mut Connection, account: &str) -> QueryResult<()> {
    match account_is_gone(connection, PROTECT_ACCOUNT, account)? {
        Some(false) => Ok(()),
        Some(true) | None => Err(QueryError::AccountGone),
    }
}

/// Waits for those who protect the account, and keeps others from protecting it until this
/// transaction ends.
pub(super) fn lock_account(connection: &mut Connection, account: &str) -> QueryResult<()> {
    account_is_gone(connection, LOCK_ACCOUNT, account)?;
    Ok(())
}

fn account_is_gone(
    connection: &mut Connection,
    sql: &str,
    account: &str,
) -> QueryResult<Option<bool>> {
    let row: Option<ErasedRow> = diesel::sql_query(sql)
        .bind::<Text, _>(account)
        .get_result(connection)
        .optional()?;
    Ok(row.map(|row| row.erased))
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;
    use diesel::sqlite::Sqlite;
    use ideavault_domain::evidence::EventKind;

    use super::*;

    #[test]
    fn erasures_are_looked_for_by_their_kind() {
        let query = debug_query::<Sqlite, _>(&person_erased()).to_string();
        let kind = EventKind::PersonErased.as_str();
        assert!(query.starts_with(&format!("'{kind}'")), "{query}");
    }
}
