//! Evidence for owners: who registered, accepted and read, and when.

mod bundles;
mod comparison;
mod matching;
mod of_idea;
mod public_log;
mod recorded;

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::activity::Activity;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::failure::Failure;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    Database, DatabaseError, IdeaOwner, RecipientWithShare, Transaction,
};
use ideavault_domain::recipient::{NdaAcceptance, Origin, Recipient};
use thiserror::Error;

pub use self::bundles::{BundleError, BundlePlan, Bundles};
pub use self::comparison::{Compared, Comparison};
pub use self::of_idea::{EventDetails, EvidenceState, IdeaEvidence, SignedLog};
pub(crate) use self::of_idea::{all_events, state_of};
pub use self::public_log::{PublicLog, PublicLogError};
pub(crate) use self::recorded::disclosures_of;
use crate::actor::Caller;
use crate::deps::Deps;
use crate::event_log::EventLog;
use crate::viewers::{activate_new_key, live_viewer};

/// The reason why evidence could not be returned.
#[derive(Debug, Error)]
pub enum EvidenceError {
    /// Absent or somebody else's.
    #[error("no such idea")]
    NotFound,
    /// The agreement was erased, with a person whom it names.
    #[error("the agreement was erased")]
    Erased,
    /// The accepted agreement cannot be reconstructed from the stored terms.
    #[error("the agreement of recipient {0} is damaged")]
    AgreementDamaged(RecipientId),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<EvidenceError> for Failure {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::NotFound => Self::NotFound,
            EvidenceError::Erased => Self::Gone(
                "This agreement was erased together with a person whom it names. That it was \
                 accepted stays on record."
                    .into(),
            ),
            EvidenceError::AgreementDamaged(_) => Self::Damaged(Box::new(error)),
            EvidenceError::Database(error) => error.into(),
        }
    }
}

/// Evidence queries.
pub struct Evidence<S> {
    deps: Deps<S>,
    event_log: Arc<EventLog<S>>,
    has_witnesses: bool,
}

impl<S: Database> Evidence<S> {
    /// Creates the service from its dependencies. `has_witnesses`: outsiders are asked to confirm
    /// the log.
    pub fn new(deps: Deps<S>, event_log: Arc<EventLog<S>>, has_witnesses: bool) -> Self {
        Self {
            deps,
            event_log,
            has_witnesses,
        }
    }

    /// Returns the activity on the links of an own idea, newest first. Also works for
    /// a deleted draft, because acceptances outlive it.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's.
    pub fn activity(
        &self,
        user: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Activity>, EvidenceError> {
        let database = &self.deps.database;
        let own = database.read_one(|tx| tx.recipients().activity_for_owner(user, idea, paging))?;
        if own.is_empty() {
            // An idea never gets another owner, so this needs no common snapshot.
            database.read_one(|tx| require_ever_own(tx, user, idea))?;
        }
        Ok(own)
    }

    /// Records that the user exports the activity of an own idea. Call it before
    /// reading any of it.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's.
    pub fn begin_export(
        &self,
        user: UserId,
        idea: IdeaId,
        origin: Origin,
    ) -> Result<(), EvidenceError> {
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            require_ever_own(tx, user, idea)?;
            let entry = AuditEntry::by(user, AuditKind::Exported, now, origin.clone());
            Ok(tx.audit().record(&entry.about(Subject::Idea(idea)))?)
        })
    }

    /// Returns an accepted agreement, with its exact text: for the recipient's own
    /// browser, even after the view has ended, and for the owner of the idea, even a
    /// deleted one.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] for everybody else, and before acceptance;
    /// [`EvidenceError::Erased`].
    pub fn agreement(
        &self,
        caller: &Caller,
        recipient: RecipientId,
    ) -> Result<Agreement, EvidenceError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        self.deps.database.read(|tx| {
            let registration = readable_registration(tx, caller, recipient, now)?;
            let (recipient, _) = acceptance_of(registration.progress)?;
            Ok(recipient.agreement)
        })
    }
}

/// Returns a registration to its own browser, and to the present or former owner of the idea.
pub(crate) fn readable_registration(
    tx: &mut dyn Transaction,
    caller: &Caller,
    recipient: RecipientId,
    now: Timestamp,
) -> Result<RecipientWithShare, EvidenceError> {
    let registration = tx
        .recipients()
        .registration(recipient)?
        .ok_or(EvidenceError::NotFound)?;
    let viewer = live_viewer(tx, caller.viewer.as_ref(), now)?;
    let own_session = registration.progress.recipient.viewer_session;
    if viewer.is_none_or(|viewer| viewer.id != own_session) {
        let user = caller.user.ok_or(EvidenceError::NotFound)?;
        require_ever_own(tx, user, registration.share.idea)?;
    }
    Ok(registration)
}

/// Returns who accepted, and the acceptance, if the agreement is the one that was accepted
/// and was not erased.
pub(crate) fn acceptance_of(
    progress: RecipientProgress,
) -> Result<(Recipient, NdaAcceptance), EvidenceError> {
    let recipient = progress.recipient;
    if recipient.erasure.agreement {
        return Err(EvidenceError::Erased);
    }
    let acceptance = progress.acceptance.ok_or(EvidenceError::NotFound)?;
    if recipient.agreement.digest() != acceptance.nda_sha256 {
        return Err(EvidenceError::AgreementDamaged(recipient.id));
    }
    Ok((recipient, acceptance))
}

/// Returns the idea if it is or was the user's, because evidence outlives it.
pub(crate) fn ever_own_idea(
    tx: &mut dyn Transaction,
    user: UserId,
    idea: IdeaId,
) -> Result<Idea, EvidenceError> {
    require_ever_own(tx, user, idea)?;
    tx.ideas().idea(idea)?.ok_or(EvidenceError::NotFound)
}

/// Checks that the idea is or was the user's, even if it is damaged.
pub(crate) fn require_ever_own(
    tx: &mut dyn Transaction,
    user: UserId,
    idea: IdeaId,
) -> Result<IdeaOwner, EvidenceError> {
    tx.ideas()
        .idea_owner(idea)?
        .filter(|idea| idea.owner == user)
        .ok_or(EvidenceError::NotFound)
}
