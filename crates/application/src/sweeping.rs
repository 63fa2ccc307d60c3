//! Removing what is good for nothing any more: bytes that no file names, which a
//! process that died has left behind, and secrets that have expired.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{Clock, FileStorage, StorageError, Store, StoreError};
use ideavault_domain::thinning::{KEEP_ALL_FOR, to_erase};
use thiserror::Error;

/// Bytes younger than this may be waiting for their row. More than a day, since our
/// time may be that far ahead of the storage's, after a clock was set back.
pub const GRACE: Duration = Duration::hours(25);

/// How many files are looked up at a time.
const PAGE: usize = 1_000;
/// How many drafts are looked up at a time.
const DRAFTS: i64 = 500;

/// Why a sweep stopped.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The storage could not be looked through.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Storage(error) => error.into(),
            SweepError::Store(error) => error.into(),
        }
    }
}

/// What a sweep found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Uploads that were never finished; removed.
    pub unfinished: usize,
    /// Files that no row names; removed.
    pub orphans: usize,
    /// Files that no row names, kept because no file at all has a row: this
    /// looks like somebody else's database, or an empty one.
    pub spared: usize,
}

/// Sweeping.
pub struct Sweeping<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    storage: Arc<dyn FileStorage>,
}

impl<S: Store> Sweeping<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>, storage: Arc<dyn FileStorage>) -> Self {
        Self {
            store,
            clock,
            storage,
        }
    }

    /// Forgets mailed codes, links and invitations that have expired; answers how many.
    ///
    /// # Errors
    /// [`SweepError::Store`].
    pub fn forget_expired(&self) -> Result<usize, SweepError> {
        let now = self.clock.now();
        Ok(self.store.write(|session| {
            Ok::<_, StoreError>(
                session.sweep_codes(now)?
                    + session.sweep_password_resets(now)?
                    + session.sweep_email_confirmations(now)?
                    + session.sweep_invitations(now)?,
            )
        })?)
    }

    /// Erases old revisions of drafts, as [`to_erase`] says. Returns how many.
    ///
    /// # Errors
    /// [`SweepError::Store`]; what was erased until then stays erased.
    pub fn thin_drafts(&self) -> Result<usize, SweepError> {
        let now = self.clock.now();
        let mut erased = 0;
        let mut last = None;
        loop {
            let drafts = self.store.read(|session| {
                session.drafts_with_old_revisions(now - KEEP_ALL_FOR, last, DRAFTS)
            })?;
            let Some(end) = drafts.last() else {
                return Ok(erased);
            };
            last = Some(*end);
            for draft in drafts {
                let kept = self.store.read(|session| session.kept_revisions(draft))?;
                if to_erase(&kept, now).is_empty() {
                    continue;
                }
                erased += self.store.write(|session| {
                    let kept = session.kept_revisions(draft)?;
                    session.erase_revisions(draft, &to_erase(&kept, now))
                })?;
            }
        }
    }

    /// Removes what is older than [`GRACE`] and has no row. Several servers on
    /// one storage may do so at the same time.
    ///
    /// # Errors
    /// [`SweepError`]; what was removed until then had no row.
    pub fn sweep(&self) -> Result<Swept, SweepError> {
        let before = self.clock.now() - GRACE;
        let unfinished = self.storage.remove_unfinished(before)?;
        let mut orphans: Vec<FileId> = Vec::new();
        let mut any_known = false;
        let mut last = None;
        loop {
            let page = self.storage.list(last, PAGE)?;
            let Some(end) = page.last() else { break };
            last = Some(end.id);
            let ids: Vec<FileId> = page.iter().map(|bytes| bytes.id).collect();
            let mut known = self.store.read(|session| session.existing_files(&ids))?;
            known.sort_unstable();
            any_known |= !known.is_empty();
            let orphaned = page
                .iter()
                .filter(|bytes| bytes.since < before && known.binary_search(&bytes.id).is_err());
            orphans.extend(orphaned.map(|bytes| bytes.id));
        }
        if !any_known {
            return Ok(Swept {
                unfinished,
                orphans: 0,
                spared: orphans.len(),
            });
        }
        orphans.iter().for_each(|id| self.storage.discard(*id));
        Ok(Swept {
            unfinished,
            orphans: orphans.len(),
            spared: 0,
        })
    }
}

#[cfg(test)]
mod tests;
