//! The comments that the caller's browser may read as a recipient.

use ideavault_domain::Timestamp;
use ideavault_domain::comment::CommentScope;
use ideavault_domain::gate::{GateContext, RecipientProgress};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_domain::share::Share;

use super::CommentError;
use crate::actor::Caller;
use crate::viewers::open_registrations;

/// The open registrations of the caller's browser.
pub(super) struct ReaderRegistrations {
    found: Vec<GateContext>,
    now: Timestamp,
}

impl ReaderRegistrations {
    pub(super) fn load(
        tx: &mut dyn Transaction,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Self, CommentError> {
        let found = open_registrations(tx, caller.viewer.as_ref(), now)?;
        let found = match (found, caller.user) {
            (Some(found), _) => found,
            (None, Some(_)) => Vec::new(),
            (None, None) => return Err(CommentError::Unknown),
        };
        Ok(Self { found, now })
    }

    /// Returns the newest readable registration that `wanted` accepts.
    pub(super) fn readable(
        &self,
        wanted: impl Fn(&GateContext) -> bool,
    ) -> Result<(&Share, &RecipientProgress), CommentError> {
        let mut error = CommentError::NotFound;
        for gate in self.found.iter().filter(|gate| wanted(gate)) {
            match gate.require_view(self.now) {
                Ok(view) => return Ok((&gate.share, view.reader)),
                Err(refusal) if refusal.is_final() => {}
                Err(refusal) => error = refusal.into(),
            }
        }
        Err(error)
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
        if own().any(|share| share.settings.shows_other_readers) {
            let others = tx.shares().shares_of(idea)?.into_iter();
            let others = others.filter(|listed| listed.share.settings.shows_other_readers);
            links.extend(others.map(|listed| listed.share.id));
        }
        Ok(CommentScope::Links(links))
    }

    fn readable_shares(&self) -> impl Iterator<Item = &Share> {
        let found = self.found.iter();
        found
            .filter(|gate| gate.require_view(self.now).is_ok())
            .map(|gate| &gate.share)
    }
}
