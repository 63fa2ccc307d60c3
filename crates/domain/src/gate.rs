//! The gate: what one browser may have of one share at one moment.
//!
//! Invariant: [`GateContext::access`] is the only place that decides whether content,
//! comments or files of a shared idea may leave the server.

use crate::Timestamp;
use crate::recipient::{NdaAcceptance, Recipient, ViewGrant};
use crate::share::{Share, ShareState, ShareType};

/// Everything that the decision depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateContext {
    /// The link.
    pub share: Share,
    /// Whether its idea still exists.
    pub idea_exists: bool,
    /// The browser's newest registration on that link, closed ones included.
    pub progress: Option<RecipientProgress>,
}

/// A registration and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientProgress {
    /// Who registered.
    pub recipient: Recipient,
    /// Whether and when the NDA was accepted.
    pub acceptance: Option<NdaAcceptance>,
    /// The newest view that was counted.
    pub grant: Option<ViewGrant>,
}

/// The answer of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// As if the link had never existed.
    Denied,
    /// Somebody has to say who they are.
    Collect,
    /// The address has to be confirmed with the code that was mailed to it.
    Verify,
    /// The NDA has to be accepted.
    Nda,
    /// Everything is met; a view has to be counted before content may leave.
    ReadyToView,
    /// A counted view is running.
    Viewing {
        /// Until when.
        ends_at: Timestamp,
    },
}

impl GateContext {
    /// What may happen at `now` (design section 5).
    #[must_use]
    pub fn access(&self, now: Timestamp) -> Access {
        let state = self.share.state(now);
        if !self.idea_exists || matches!(state, ShareState::Revoked | ShareState::Expired) {
            return Access::Denied;
        }
        if let Some(ends_at) = self.running_view(now) {
            return Access::Viewing { ends_at };
        }
        if state == ShareState::Exhausted || self.one_view_is_spent() {
            return Access::Denied;
        }
        match &self.progress {
            Some(progress) if progress.recipient.closed_at.is_none() => {
                if !self.share.accepts(progress.recipient.identity) {
                    Access::Verify
                } else if progress.acceptance.is_some() {
                    Access::ReadyToView
                } else {
                    Access::Nda
                }
            }
            _ => Access::Collect,
        }
    }

    fn running_view(&self, now: Timestamp) -> Option<Timestamp> {
        let progress = self.progress.as_ref()?;
        if progress.recipient.closed_at.is_some()
            || progress.acceptance.is_none()
            || !self.share.accepts(progress.recipient.identity)
        {
            return None;
        }
        progress
            .grant
            .as_ref()
            .map(|grant| grant.ends_at)
            .filter(|ends_at| now < *ends_at)
    }

    /// Whether this browser had the one view that a one-time link gives it, even if
    /// others are left: registering anew gives it no other.
    #[must_use]
    pub fn one_view_is_spent(&self) -> bool {
        self.share.terms.share_type == ShareType::OneTime
            && self
                .progress
                .as_ref()
                .is_some_and(|progress| progress.grant.is_some())
    }
}

#[cfg(test)]
pub(crate) mod tests;
