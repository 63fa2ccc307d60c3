//! The security audit log.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::audit::{AuditEntry, AuditKind, Occurrences};

type Result<T> = std::result::Result<T, DatabaseError>;

/// An append-only log: the database itself refuses to change or delete an entry before the time
/// that was last named here for that.
pub trait AuditTrail {
    /// Adds an entry, as part of the transaction.
    fn record(&mut self, entry: &AuditEntry) -> Result<()>;

    /// Adds a denial unless its [slot](AuditEntry::slot) is taken or the minute
    /// already has [`DENIALS_PER_MINUTE`](crate::audit::DENIALS_PER_MINUTE). Returns
    /// whether it was added.
    fn record_denial(&mut self, entry: &AuditEntry) -> Result<bool>;

    /// Returns the newest `limit` entries not older than `since`, newest last.
    fn audit(&mut self, since: Option<Timestamp>, limit: i64) -> Result<Vec<AuditEntry>>;

    /// Deletes up to `limit` entries from before that time, the oldest first; returns how many.
    fn delete_entries(&mut self, before: Timestamp, limit: i64) -> Result<usize>;

    /// Erases the network address and the browser in up to `limit` entries from before that time,
    /// the oldest first; returns how many.
    fn erase_addresses(&mut self, before: Timestamp, limit: i64) -> Result<usize>;

    /// Returns how often and when last something of that kind happened.
    fn occurrences(&mut self, kind: AuditKind) -> Result<Occurrences>;
}
