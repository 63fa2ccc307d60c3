//! The comments that the caller's browser may read as a recipient.

use ideavault_domain::Timestamp;
use ideavault_domain::comment::CommentScope;
use ideavault_domain::gate::Access;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{DatabaseError, RecipientWithShare, Transaction};
use ideavault_domain::share::Share;

use super::CommentError;
use crate::actor::Caller;
use crate::fresh::Fresh;
use crate::gate::{Registrations, open_registrations};

/// The open registrations of the caller's browser, each with its access.
pub(super) struct ReaderRegistrations(Fresh<Registrations>);

impl ReaderRegistrations {
    pub(super) fn load(
        tx: &mut dyn Transaction,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Self, CommentError> {
        match (
            open_registrations(tx, caller.viewer.as_ref(), now)?,
            caller.user,
        ) {
            (Some(registrations), _) => Ok(Self(registrations)),
            (None, Some(_)) => Ok(Self(Fresh::always(Vec::new()))),
            (None, None) => Err(CommentError::Unknown),
        }
    }

    /// Returns `value` as what stays true as long as the registrations' access.
    pub(super) fn dating<T>(&self, value: T) -> Fresh<T> {
        let until = self.0.until;
        Fresh { value, until }
    }

    /// Returns the newest readable registration that `wanted` accepts.
    pub(super) fn readable(
        &self,
        wanted: impl Fn(&RecipientWithShare) -> bool,
    ) -> Result<&RecipientWithShare, CommentError> {
        let mut refusal = CommentError::NotFound;
        for (registration, access) in self.0.value.iter().filter(|(found, _)| wanted(found)) {
            match access {
                Access::ReadyToView | Access::Viewing { .. } => return Ok(registration),
                Access::Verify | Access::Nda => refusal = CommentError::NotAgreed,
                Access::Denied | Access::Collect => {}
            }
        }
        Err(refusal)
    }

    pub(super) fn readable_ideas(&self) -> Vec<IdeaId> {
        let mut ideas: Vec<IdeaId> = self.readable_shares().map(|share| share.idea).collect();
        ideas.sort_unstable();
        ideas.dedup();
        ideas
    }

    /// Returns which comments on `idea` the caller may see as a reader: those for the
    /// readers of its own links and, if one of these shows other readers, those of
    /// all links that do. Comments on a link that does not are visible only on that
    /// link.
    pub(super) fn scope(
        &self,
        tx: &mut dyn Transaction,
        idea: IdeaId,
    ) -> Result<CommentScope, DatabaseError> {
        let own = || self.readable_shares().filter(|share| share.idea == idea);
        let mut links: Vec<_> = own().map(|share| share.id).collect();
        if own().any(|share| share.shows_other_readers) {
            let others = tx.shares().shares_of(idea)?.into_iter();
            let others = others.filter(|listed| listed.share.shows_other_readers);
            links.extend(others.map(|listed| listed.share.id));
        }
        Ok(CommentScope::Links(links))
    }

    fn readable_shares(&self) -> impl Iterator<Item = &Share> {
        self.0
            .value
            .iter()
            .filter(|(_, access)| matches!(access, Access::ReadyToView | Access::Viewing { .. }))
            .map(|(registration, _)| &registration.share)
    }
}
