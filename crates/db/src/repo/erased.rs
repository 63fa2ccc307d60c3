//! Whether the person behind a registration was erased.
//!
//! Invariant: whatever is written about a reader asks this first, so that nothing of an erased
//! person is stored by somebody who read it before.

use diesel::prelude::{OptionalExtension, QueryableByName, RunQueryDsl};
use diesel::sql_types::{Bool, Text};
use serde_json::Value;

use super::{Connection, LOCK_RECIPIENT, PROTECT_RECIPIENT};
use crate::error::QueryResult;

#[derive(QueryableByName)]
struct ErasedRow {
    #[diesel(sql_type = Bool)]
    erased: bool,
}

/// Returns whether the person was erased. If not, nobody erases it before this transaction
/// ends. Whoever changes the registration later in the transaction calls [`lock_recipient`]
/// instead: two that both protect it would wait for each other.
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

/// Returns whether that disclosure of a reader's event leads to the person. A page that was
/// made for a reader has the name in it, unlike a file.
pub(super) fn names_person(name: &str, event: &str) -> bool {
    match name {
        "person" | "origin" | "terms" | "comment" => true,
        "file" => {
            let event: Value = serde_json::from_str(event).unwrap_or_default();
            event.get("file").is_none()
        }
        _ => false,
    }
}
