//! Bundles: the evidence of an idea as a file that convinces without this server.

mod anchors;
mod content_files;
mod log_files;
mod open_bundle;
mod plan;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{FileId, IdeaId, RecipientId, UserId};
use ideavault_domain::ports::{BlobStore, Database, DatabaseError, StorageError};
use ideavault_evidence::bundle;
use ideavault_evidence::checkpoint::CheckpointError;
use ideavault_evidence::ots::{BuildError, OtsError};
use thiserror::Error;

use self::open_bundle::OpenBundle;
pub use self::plan::BundlePlan;
use self::plan::{BundleFor, plan};
use super::{EvidenceError, require_ever_own};
use crate::deps::Deps;

/// The reason why a bundle could not be made.
#[derive(Debug, Error)]
pub enum BundleError {
    /// The idea or registration is absent, or somebody else's.
    #[error("no such idea or registration")]
    NotFound,
    /// No event of the idea has a place yet.
    #[error("nothing is on record yet")]
    NothingRecorded,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The bundle cannot be written.
    #[error("the bundle cannot be written")]
    Write(#[from] bundle::BundleError),
    /// A stored checkpoint or key is damaged.
    #[error("a checkpoint or key of the log is damaged")]
    Checkpoint(#[from] CheckpointError),
    /// A stored answer of a calendar is damaged.
    #[error("the answer of a calendar is damaged")]
    Answer(#[from] OtsError),
    /// The answers of calendars cannot be written.
    #[error("the answers of calendars cannot be written")]
    Stamp(#[from] BuildError),
    /// An agreement cannot be read.
    #[error(transparent)]
    Agreement(EvidenceError),
    /// A file cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<EvidenceError> for BundleError {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::NotFound => Self::NotFound,
            EvidenceError::Erased | EvidenceError::AgreementDamaged(_) => Self::Agreement(error),
            EvidenceError::Database(error) => Self::Database(error),
        }
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::NotFound => Self::NotFound,
            BundleError::NothingRecorded => Self::Conflict(
                "Nothing of this idea is on record yet. Put this version on record first.".into(),
            ),
            BundleError::Database(error) => error.into(),
            BundleError::Storage(error) => error.into(),
            other => Self::Internal(Box::new(other)),
        }
    }
}

/// Makes bundles.
pub struct Bundles<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
}

impl<S: Database> Bundles<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>, storage: Arc<dyn BlobStore>) -> Self {
        Self { deps, storage }
    }

    /// Plans the bundle of an own idea, even of a deleted one.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when the idea is not the user's.
    pub fn plan_for_owner(&self, user: UserId, id: IdeaId) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = require_ever_own(tx, user, id)?;
            plan(tx, (id, owner), BundleFor::Owner, now)
        })
    }

    /// Plans the bundle of any idea, for the operator, also of a disabled account.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when there is no such idea, or its creator left.
    pub fn plan_for_operator(&self, id: IdeaId) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = tx.inspection().idea_owner_even_if_disabled(id)?;
            let owner = owner.ok_or(BundleError::NotFound)?;
            plan(tx, (id, owner), BundleFor::Owner, now)
        })
    }

    /// Plans the bundle of a recipient, with or without the content. The caller asks
    /// [`ShareAccess::bundle_holder`](crate::share_access::ShareAccess::bundle_holder) before
    /// and after writing it.
    pub fn plan_for_recipient(
        &self,
        id: IdeaId,
        recipient: RecipientId,
        with_content: bool,
    ) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = tx.ideas().idea_owner(id)?.ok_or(BundleError::NotFound)?;
            let reader = BundleFor::Recipient {
                recipient,
                with_content,
            };
            plan(tx, (id, owner), reader, now)
        })
    }

    /// Returns whether that event has a place that a signed checkpoint covers.
    pub fn is_signed_for(&self, row: i64) -> Result<bool, BundleError> {
        let database = &self.deps.database;
        Ok(database.read(|tx| tx.evidence_log().is_signed_for(row))?)
    }

    /// Writes a bundle; see [`Bundles::write_beside`].
    pub fn write(
        &self,
        plan: &BundlePlan,
        to: impl Write,
    ) -> Result<BTreeSet<String>, BundleError> {
        self.write_beside(plan, to, &BTreeSet::new())
    }

    /// Writes a bundle that leaves out the files in `elsewhere`, as missing: they are beside it.
    /// Recorded events never change, so they are read in parts: of
    /// each, its place and its row, paths and digests of its files, and its line of the report stay in
    /// memory.
    /// Returns the paths of what is missing, because it was lost or is damaged; the bundle
    /// names them, too.
    pub(crate) fn write_beside(
        &self,
        plan: &BundlePlan,
        mut to: impl Write,
        elsewhere: &BTreeSet<FileId>,
    ) -> Result<BTreeSet<String>, BundleError> {
        let (_, newest) = plan
            .logs
            .last_key_value()
            .ok_or(BundleError::NothingRecorded)?;
        let mut bundle = OpenBundle::new(&mut to);
        for (id, log) in &plan.logs {
            let prefix = match log.checkpoint.log == newest.checkpoint.log {
                true => String::new(),
                false => format!("log{}/", id.as_i32()),
            };
            self.write_log(&mut bundle, plan, log, &prefix)?;
        }
        self.write_contents(&mut bundle, plan, elsewhere)?;
        self.write_agreements(&mut bundle)?;
        for kind in &plan.pending {
            bundle.zip.note_pending(kind.as_str());
        }
        let idea = plan.idea.to_string();
        bundle.zip.finish_for(&bundle.report, &idea, &newest.vkey)?;
        Ok(bundle.missing)
    }
}
