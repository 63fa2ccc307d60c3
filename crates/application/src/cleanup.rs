//! Cleanup: removes stored bytes without a row, which a crashed process left behind,
//! old revisions of drafts, expired secrets, and audit entries that are no longer kept.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::account::{SESSION_IDLE, SESSION_LIFETIME};
use ideavault_domain::audit::AuditRetention;
use ideavault_domain::device::DEVICE_LIFETIME;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::FileId;
use ideavault_domain::notice::NOTICE_LIFETIME;
use ideavault_domain::ports::{
    BlobStore, Clock, Database, DatabaseError, StorageError, Transaction,
};
use ideavault_domain::thinning::{KEEP_ALL_FOR, to_erase};
use thiserror::Error;

/// Minimum age of bytes to be removed; younger ones may still be waiting for their
/// row. More than a day, because after a clock was set back our time may be that far
/// ahead of the storage's.
pub const ORPHAN_MIN_AGE: Duration = Duration::hours(25);

/// Files looked up per query.
const FILES_PER_QUERY: usize = 1_000;
/// Drafts looked up per query.
const DRAFTS_PER_QUERY: i64 = 500;
/// Audit entries deleted, or changed, per transaction: others wait for it for a few hundredths of
/// a second.
const ENTRIES_PER_WRITE: i64 = 1_000;
/// Such transactions per run. A minute has 120 denials at most, and an hour less than a tenth of
/// what this allows.
const WRITES_PER_RUN: usize = 100;

/// The reason why a cleanup stopped.
#[derive(Debug, Error)]
pub enum CleanupError {
    /// A storage error.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<CleanupError> for Failure {
    fn from(error: CleanupError) -> Self {
        match error {
            CleanupError::Storage(error) => error.into(),
            CleanupError::Database(error) => error.into(),
        }
    }
}

/// The result of a cleanup of the storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleanupReport {
    /// Interrupted uploads that were removed.
    pub unfinished: usize,
    /// Files without a row that were removed.
    pub orphans: usize,
    /// Files without a row that were kept because no file has a row at all, or recording has
    /// stopped: the database is probably the wrong one, an older copy, or empty.
    pub spared: usize,
}

/// Cleanup jobs.
pub struct Cleanup<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    storage: Arc<dyn BlobStore>,
    audit: AuditRetention,
}

impl<S: Database> Cleanup<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        storage: Arc<dyn BlobStore>,
        audit: AuditRetention,
    ) -> Self {
        Self {
            database,
            clock,
            storage,
            audit,
        }
    }

    /// Deletes expired sessions of signed-in users, and returns how many.
    pub fn delete_expired_sessions(&self) -> Result<usize, CleanupError> {
        let now = self.clock.now();
        Ok(self.database.write(|tx| {
            tx.user_sessions()
                .delete_expired_user_sessions(now - SESSION_IDLE, now - SESSION_LIFETIME)
        })?)
    }

    /// Deletes devices not used for [`DEVICE_LIFETIME`], and returns how many.
    pub fn delete_unused_devices(&self) -> Result<usize, CleanupError> {
        let unseen_since = self.clock.now() - DEVICE_LIFETIME;
        Ok(self
            .database
            .write(|tx| tx.known_devices().delete_unused_devices(unseen_since))?)
    }

    /// Deletes notices past their lifetime, and returns how many.
    pub fn delete_old_notices(&self) -> Result<usize, CleanupError> {
        let before = self.clock.now() - NOTICE_LIFETIME;
        Ok(self
            .database
            .write(|tx| tx.notices().delete_old_notices(before))?)
    }

    /// Deletes expired codes, links, invitations and counts, and
    /// returns how many.
    pub fn delete_expired(&self) -> Result<usize, CleanupError> {
        let now = self.clock.now();
        Ok(self.database.write(|tx| {
            Ok::<_, DatabaseError>(
                tx.codes().delete_expired_codes(now)?
                    + tx.account_changes().delete_expired_password_resets(now)?
                    + tx.email_confirmations()
                        .delete_expired_email_confirmations(now)?
                    + tx.document_links().delete_expired_document_links(now)?
                    + tx.invitations().delete_expired_invitations(now)?
                    + tx.limit_counts().delete_ended_counts(now)?,
            )
        })?)
    }

    /// Deletes audit entries, and erases the network addresses in others, that are older than the
    /// operator keeps them. Returns how many entries were deleted or changed.
    ///
    /// # Errors
    /// [`CleanupError::Database`]; what was removed before it stays removed.
    pub fn remove_old_audit(&self) -> Result<usize, CleanupError> {
        let now = self.clock.now();
        let AuditRetention { entries, addresses } = self.audit;
        let mut removed = 0;
        if let Some(kept) = entries {
            removed += self.in_parts(|tx, part| tx.audit().delete_entries(now - kept, part))?;
        }
        if let Some(kept) = addresses {
            removed += self.in_parts(|tx, part| tx.audit().erase_addresses(now - kept, part))?;
        }
        Ok(removed)
    }

    fn in_parts(
        &self,
        remove: impl Fn(&mut dyn Transaction, i64) -> Result<usize, DatabaseError>,
    ) -> Result<usize, DatabaseError> {
        let mut removed = 0;
        for _ in 0..WRITES_PER_RUN {
            let part = self.database.write(|tx| remove(tx, ENTRIES_PER_WRITE))?;
            removed += part;
            if part == 0 {
                break;
            }
        }
        Ok(removed)
    }

    /// Erases old revisions of drafts as [`to_erase`] selects them, and returns how
    /// many.
    ///
    /// # Errors
    /// [`CleanupError::Database`]; revisions erased before it stay erased.
    pub fn thin_drafts(&self) -> Result<usize, CleanupError> {
        let now = self.clock.now();
        let mut erased = 0;
        let mut last = None;
        loop {
            let drafts = self.database.read(|tx| {
                tx.ideas()
                    .drafts_with_old_revisions(now - KEEP_ALL_FOR, last, DRAFTS_PER_QUERY)
            })?;
            let Some(end) = drafts.last() else {
                return Ok(erased);
            };
            last = Some(*end);
            for draft in drafts {
                let kept = self.database.read(|tx| tx.ideas().kept_revisions(draft))?;
                if to_erase(&kept, now).is_empty() {
                    continue;
                }
                erased += self.database.write(|tx| {
                    let kept = tx.ideas().kept_revisions(draft)?;
                    tx.ideas().erase_revisions(draft, &to_erase(&kept, now))
                })?;
            }
        }
    }

    /// Removes stored bytes older than [`ORPHAN_MIN_AGE`] without a row. Several
    /// servers may run this on one storage at the same time. Spares them unless events are recorded:
    /// the rows may be in a newer copy of the database.
    ///
    /// # Errors
    /// [`CleanupError`]; everything removed before it had no row.
    pub fn remove_orphans(&self, is_recording: bool) -> Result<CleanupReport, CleanupError> {
        let before = self.clock.now() - ORPHAN_MIN_AGE;
        let unfinished = self.storage.remove_unfinished(before)?;
        let mut orphans: Vec<FileId> = Vec::new();
        let mut any_known = false;
        let mut last = None;
        loop {
            let page = self.storage.list(last, FILES_PER_QUERY)?;
            let Some(end) = page.last() else { break };
            last = Some(end.id);
            let ids: Vec<FileId> = page.iter().map(|bytes| bytes.id).collect();
            let mut known = self.database.read(|tx| tx.files().existing_files(&ids))?;
            known.sort_unstable();
            any_known |= !known.is_empty();
            let orphaned = page
                .iter()
                .filter(|bytes| bytes.since < before && known.binary_search(&bytes.id).is_err());
            orphans.extend(orphaned.map(|bytes| bytes.id));
        }
        if !any_known || !is_recording {
            return Ok(CleanupReport {
                unfinished,
                orphans: 0,
                spared: orphans.len(),
            });
        }
        orphans.iter().for_each(|id| self.storage.discard(*id));
        Ok(CleanupReport {
            unfinished,
            orphans: orphans.len(),
            spared: 0,
        })
    }
}
