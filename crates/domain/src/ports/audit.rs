//! The record of what matters to security.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::audit::{AuditEntry, AuditKind, Occurrences};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Entries that are only ever added: the database itself refuses to change or
/// delete one.
pub trait AuditTrail {
    /// Adds an entry; it is there when the transaction commits, or never.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn record(&mut self, entry: &AuditEntry) -> Result<()>;

    /// Adds a denial, unless its [slot](AuditEntry::slot) has one, or the minute
    /// has [as many as it may](crate::audit::DENIALS_PER_MINUTE). Answers
    /// whether it was added.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn record_denial(&mut self, entry: &AuditEntry) -> Result<bool>;

    /// The newest `limit` entries, of those since `since`; the newest last.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn audit(&mut self, since: Option<Timestamp>, limit: i64) -> Result<Vec<AuditEntry>>;

    /// Returns how often something of that kind happened, and when last.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn occurrences(&mut self, kind: AuditKind) -> Result<Occurrences>;
}
