//! Stored values that cannot be read, which must not take others with them.
//!
//! Invariant: a value counts as damaged only on a server that has the current master key.
//! One without it is unavailable, until it gets the key or another server takes its place.

use std::cell::RefCell;
use std::rc::Rc;

use diesel::prelude::{OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::page::{Cursor, Page, PageSize};
use ideavault_domain::ports::{DamagedValue, Encryption};

use super::Connection;
use super::schema::master_key;
use crate::error::{QueryError, QueryResult};

/// Returns `error`, or [`QueryError::MasterKeyMissing`] where that explains it.
pub(super) fn explained(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    error: QueryError,
) -> QueryError {
    match error {
        QueryError::Decryption(source) | QueryError::ForeignKey { source, .. }
            if lacks_current_key(connection, encryption) =>
        {
            QueryError::MasterKeyMissing(source)
        }
        error => error,
    }
}

/// Reads what is stored, and leaves out what is damaged.
#[derive(Clone)]
pub(super) struct Readable<'v> {
    encryption: &'v dyn Encryption,
    left_out: LeftOut,
}

/// The damaged values that a transaction has left out of its results.
pub(super) type LeftOut = Rc<RefCell<Vec<DamagedValue>>>;

impl<'v> Readable<'v> {
    pub(super) fn new(encryption: &'v dyn Encryption, left_out: &LeftOut) -> Self {
        Self {
            encryption,
            left_out: Rc::clone(left_out),
        }
    }

    /// Returns a value that was read; `None`, and logs it, if it is damaged.
    ///
    /// # Errors
    /// Every other failure.
    pub(super) fn unless_damaged<T>(
        &self,
        connection: &mut Connection,
        (what, id): (&'static str, &str),
        read: QueryResult<T>,
    ) -> QueryResult<Option<T>> {
        let error = match read {
            Ok(value) => return Ok(Some(value)),
            Err(error) => explained(connection, self.encryption, error),
        };
        if !error.is_damage() {
            return Err(error);
        }
        tracing::error!(what, id, %error, "went on without a damaged value");
        self.left_out.borrow_mut().push(DamagedValue {
            what,
            id: id.to_owned(),
        });
        Ok(None)
    }

    /// Returns a page of rows, each with its position, its id and what was read of it.
    ///
    /// # Errors
    /// Those of [`Readable::unless_damaged`].
    pub(super) fn page<T>(
        &self,
        connection: &mut Connection,
        what: &'static str,
        rows: impl IntoIterator<Item = (Cursor, String, QueryResult<T>)>,
        size: PageSize,
    ) -> QueryResult<Page<T>> {
        let rows = rows.into_iter().map(|(cursor, id, read)| {
            let read = self.unless_damaged(connection, (what, &id), read)?;
            Ok((cursor, read))
        });
        Ok(Page::of_readable(rows.collect::<QueryResult<_>>()?, size))
    }
}

/// Returns whether this server misses the key that the database was last encrypted with.
/// Without an answer, the database has failed in another way.
fn lacks_current_key(connection: &mut Connection, encryption: &dyn Encryption) -> bool {
    // Not locked: a transaction that only reads may not.
    let current: Option<Vec<u8>> = master_key::table
        .select(master_key::id)
        .first(connection)
        .optional()
        .ok()
        .flatten();
    current
        .and_then(|id| id.try_into().ok())
        .is_some_and(|id| encryption.activate(MasterKeyId::from_bytes(id)).is_err())
}
