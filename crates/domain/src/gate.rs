//! The gate: decides what one browser may access on one share at one moment.
//!
//! Invariant: [`GateContext::access`] is the only place that decides whether content,
//! comments or files of a shared idea may leave the server.

use crate::Timestamp;
use crate::recipient::{NdaAcceptance, Recipient, ViewGrant};
use crate::share::{Share, ShareState, ShareType};

/// All inputs of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateContext {
    /// The link used.
    pub share: Share,
    /// Whether its idea still exists.
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

/// The gate's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// No access, as if the link had never existed.
    Denied,
    /// The recipient must enter their details.
    Collect,
    /// The address must be confirmed with the mailed code.
    Verify,
    /// The NDA must be accepted.
    Nda,
    /// All conditions are met; a view must be counted before content may be sent.
    ReadyToView,
    /// A counted view is active.
    Viewing {
        /// When it ends.
        ends_at: Timestamp,
    },
}

impl GateContext {
    /// Returns what the browser may access at `now` (`docs/rules.md#share-stages`).
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

    /// Returns until when [`access`](Self::access) stays what it is at `now`, unless something
    /// else than the time changes.
    #[must_use]
    pub fn decided_until(&self, now: Timestamp) -> Timestamp {
        let grant = self
            .progress
            .as_ref()
            .and_then(|progress| progress.grant.as_ref());
        let ends = [
            self.share.terms.expires_at(),
            grant.map(|grant| grant.ends_at),
        ];
        ends.into_iter()
            .flatten()
            .filter(|end| now < *end)
            .min()
            .unwrap_or(Timestamp::MAX_UTC)
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

    /// Returns whether this browser has used the one view that a one-time link gives
    /// it, even if others are left: registering again gives no other.
    #[must_use]
    pub fn one_view_is_spent(&self) -> bool {
        self.share.terms.share_type() == ShareType::OneTime
            && self
                .progress
                .as_ref()
                .is_some_and(|progress| progress.grant.is_some() || progress.browser_had_view)
    }
}

#[cfg(test)]
pub(crate) mod tests;
