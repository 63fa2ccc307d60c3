//! The gate: decides what one browser may access on one share at one moment.
//!
//! Invariant: [`GateContext::require_view`] is the only place that decides whether content,
//! comments or files of a shared idea may leave the server.

use std::iter;

use crate::Timestamp;
use crate::ids::RecipientId;
use crate::recipient::{NdaAcceptance, Recipient, ViewGrant};
use crate::share::{Share, ShareState, ShareType};
use crate::visit::{EndedVisit, VisitEnding};

/// All inputs of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateContext {
    /// The link used.
    pub share: Share,
    /// Whether its idea exists: it is not deleted, and its owner's account is not disabled.
    pub idea_exists: bool,
    /// The browser's newest registration on that link, including a closed one.
    pub progress: Option<RecipientProgress>,
}

/// A registration and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientProgress {
    /// The registered recipient.
    pub recipient: Recipient,
    /// The NDA acceptance, if any.
    pub acceptance: Option<NdaAcceptance>,
    /// The newest counted view.
    pub grant: Option<ViewGrant>,
    /// Whether its browser had a view of a one-time link, under any registration and any key.
    pub browser_had_view: bool,
}

/// The condition of a view that is not met: the first one, in the order of [`Refusal::next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The link is revoked or expired, or its idea is gone, which ends active views, too.
    Ended,
    /// No view is left, for anybody or for this browser; an active one may finish.
    UsedUp,
    /// The recipient must enter their details.
    Unregistered,
    /// The address must be confirmed with the mailed code.
    Unconfirmed,
    /// The NDA must be accepted.
    NotAgreed,
}

impl Refusal {
    /// Returns the condition that is checked after this one.
    fn next(self) -> Option<Self> {
        match self {
            Self::Ended => Some(Self::UsedUp),
            Self::UsedUp => Some(Self::Unregistered),
            Self::Unregistered => Some(Self::Unconfirmed),
            Self::Unconfirmed => Some(Self::NotAgreed),
            Self::NotAgreed => None,
        }
    }

    /// Returns all of them, in that order.
    pub fn in_order() -> impl Iterator<Item = Self> {
        iter::successors(Some(Self::Ended), |refusal| refusal.next())
    }

    /// Returns whether the link is refused as if it had never existed: nothing that its reader
    /// could do would help.
    #[must_use]
    pub fn is_final(self) -> bool {
        match self {
            Self::Ended | Self::UsedUp => true,
            Self::Unregistered | Self::Unconfirmed | Self::NotAgreed => false,
        }
    }
}

/// The right to a view: all conditions are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'g> {
    /// Who may view.
    pub reader: &'g RecipientProgress,
    /// The counted view that is active; without one, a view must be counted before content may be
    /// sent.
    pub active: Option<&'g ViewGrant>,
}

impl GateContext {
    /// Returns the browser's visit if it accepted the agreement and may not read at `now`
    /// (`docs/rules.md#visit-ended`); `None` once its reader was erased, or the idea is gone.
    #[must_use]
    pub fn ended_visit(&self, now: Timestamp) -> Option<EndedVisit> {
        let reader = self.progress.as_ref()?;
        reader.acceptance.as_ref()?;
        let recipient = &reader.recipient;
        if !self.idea_exists || recipient.erasure.is_of_person() {
            return None;
        }
        let (ending, at) = match self.require_view(now).err()? {
            Refusal::Ended if self.share.revoked_at.is_some() => {
                (VisitEnding::Revoked, self.share.revoked_at)
            }
            Refusal::Ended => (VisitEnding::Expired, self.share.terms.expires_at()),
            Refusal::UsedUp => {
                let granted_until = reader.grant.as_ref().map(|grant| grant.ends_at);
                let ends = [recipient.closed_at, granted_until];
                (VisitEnding::Exhausted, ends.into_iter().flatten().min())
            }
            Refusal::Unregistered => (VisitEnding::Closed, recipient.closed_at),
            Refusal::Unconfirmed | Refusal::NotAgreed => return None,
        };
        Some(EndedVisit {
            recipient: recipient.id,
            ending,
            at,
        })
    }

    /// Returns the browser's view at `now` (`docs/rules.md#share-stages`).
    ///
    /// # Errors
    /// The first [`Refusal`].
    pub fn require_view(&self, now: Timestamp) -> Result<View<'_>, Refusal> {
        let refusal = self.refusals(now).next();
        let Some(reader) = self.open_registration() else {
            return Err(refusal.unwrap_or(Refusal::Unregistered));
        };
        let active = reader.grant.as_ref().filter(|grant| now < grant.ends_at);
        match refusal {
            // The view that is active was the last.
            Some(Refusal::UsedUp) if active.is_some() && self.refusals(now).count() == 1 => {}
            Some(refusal) => return Err(refusal),
            None => {}
        }
        Ok(View { reader, active })
    }

    /// Returns until when [`require_view`](Self::require_view) decides as at `now`, unless
    /// something else than the time changes.
    #[must_use]
    pub fn decided_until(&self, now: Timestamp) -> Timestamp {
        let grant = self
            .progress
            .as_ref()
            .and_then(|found| found.grant.as_ref());
        Refusal::in_order()
            .filter_map(|refusal| match refusal {
                Refusal::Ended => self.share.terms.expires_at(),
                Refusal::UsedUp => grant.map(|grant| grant.ends_at),
                Refusal::Unregistered | Refusal::Unconfirmed | Refusal::NotAgreed => None,
            })
            .filter(|end| now < *end)
            .min()
            .unwrap_or(Timestamp::MAX_UTC)
    }

    /// Returns whether the link is still there for the browser at `now`, even if it gives no view.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        !self.refuses(Refusal::Ended, now)
    }

    /// Returns whether the browser may register at `now`, perhaps once more: registering again
    /// gives no other view where the browser has had its only one.
    #[must_use]
    pub fn admits_registration(&self, now: Timestamp) -> bool {
        self.refusals(now)
            .next()
            .is_none_or(|refusal| !refusal.is_final())
    }

    /// Returns whether the registration is that recipient's.
    #[must_use]
    pub fn is_of(&self, recipient: RecipientId) -> bool {
        let progress = self.progress.as_ref();
        progress.is_some_and(|progress| progress.recipient.id == recipient)
    }

    /// Returns the browser's registration, if it is open.
    #[must_use]
    pub fn open_registration(&self) -> Option<&RecipientProgress> {
        let progress = self.progress.as_ref();
        progress.filter(|progress| progress.recipient.closed_at.is_none())
    }

    fn refusals(&self, now: Timestamp) -> impl Iterator<Item = Refusal> {
        Refusal::in_order().filter(move |refusal| self.refuses(*refusal, now))
    }

    fn refuses(&self, refusal: Refusal, now: Timestamp) -> bool {
        let state = self.share.state(now);
        let reader = self.open_registration();
        match refusal {
            Refusal::Ended => {
                !self.idea_exists || matches!(state, ShareState::Revoked | ShareState::Expired)
            }
            Refusal::UsedUp => state == ShareState::Exhausted || self.one_view_is_spent(),
            Refusal::Unregistered => reader.is_none(),
            Refusal::Unconfirmed => {
                reader.is_some_and(|found| !self.share.accepts(found.recipient.identity))
            }
            Refusal::NotAgreed => reader.is_some_and(|found| found.acceptance.is_none()),
        }
    }

    /// Returns whether this browser has used the one view that a one-time link gives it, even if
    /// others are left.
    fn one_view_is_spent(&self) -> bool {
        self.share.terms.share_type() == ShareType::OneTime
            && self
                .progress
                .as_ref()
                .is_some_and(|progress| progress.grant.is_some() || progress.browser_had_view)
    }
}

#[cfg(test)]
pub(crate) mod tests;
