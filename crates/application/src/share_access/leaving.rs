//! Closing a document and opening it again, and declining the agreement.

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::Event;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{Database, DatabaseError, GateAddress, Transaction};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::{Ending, Origin};
use ideavault_domain::share::Share;
use ideavault_domain::text::DeclineReason;
use ideavault_domain::token::Token;
use ideavault_domain::visit::VisitEnding;

use super::loaded_gate::{find_gate, offered_now};
use super::{ShareAccess, ShareAccessError};
use crate::notifications::add_notice;
use crate::rate_limits::AdmitOnce;
use crate::viewers::activate_new_key;

impl<S: Database> ShareAccess<S> {
    /// Ends the browser's access to a link immediately. Idempotent.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when the link is invalid or the browser never
    /// registered on it.
    pub fn close(&self, token: &Token, viewer: Option<&Token>) -> Result<(), ShareAccessError> {
        self.leave(token, viewer, Ending::Closed, None)
    }

    /// Records that the browser's reader declines the agreement, also after closing, perhaps for a
    /// `reason`; that registration gives no access any more. Idempotent: the first reason stays.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] as for closing; [`ShareAccessError::Agreed`] when the
    /// agreement was accepted; [`ShareAccessError::Invalid`] on `reason`.
    pub fn decline(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        reason: Option<&str>,
    ) -> Result<(), ShareAccessError> {
        let reason = DeclineReason::parse_optional(reason)?;
        self.leave(token, viewer, Ending::Declined, reason.as_ref())
    }

    /// Lets the browser's reader, who accepted the agreement and closed the document, read on under
    /// the same agreement. Idempotent.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when the browser has no access to the link, or never had it
    /// there; [`ShareAccessError::OtherText`] when an agreement with another text is offered now;
    /// [`ShareAccessError::RateLimited`], because each visit is on record.
    pub fn reopen(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        origin: &Origin,
    ) -> Result<(), ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let mut reopening = AdmitOnce::new(self.deps.limits.here());
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let address = GateAddress::Token(token.hash());
            let gate = find_gate(tx, address, viewer, false, now)?;
            if gate.context.require_view(now).is_ok() {
                return Ok(());
            }
            let ended = gate.context.ended_visit(now);
            let closed = ended.filter(|ended| ended.ending == VisitEnding::Closed);
            let (Some(_), Some(viewer), Some(reader)) =
                (closed, &gate.viewer, &gate.context.progress)
            else {
                return Err(ShareAccessError::NotFound);
            };
            let recipient = &reader.recipient;
            if !offered_now(&gate, recipient, now).says_the_same_as(&recipient.agreement) {
                return Err(ShareAccessError::OtherText);
            }
            let client = LimitKey::client_on(origin.network(), recipient.share);
            reopening.admit(&[(RateLimit::RegistrationsByAddress, client)])?;
            match tx.recipients().reopen_recipient(recipient.id, viewer.id)? {
                true => Ok(()),
                false => Err(ShareAccessError::NotFound),
            }
        })
    }

    fn leave(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        ending: Ending,
        reason: Option<&DeclineReason>,
    ) -> Result<(), ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let Some(overtaken) = self.try_leave(token, viewer, (ending, reason), None)? else {
            return Ok(());
        };
        match self.try_leave(token, viewer, (ending, reason), Some(overtaken))? {
            None => Ok(()),
            // It was accepted meanwhile, which gave it another key.
            Some(_) => Err(ShareAccessError::NotFound),
        }
    }

    /// Ends the registration `only`, or the newest. Returns its id if a concurrent call has
    /// ended or accepted it since it was read.
    fn try_leave(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        (ending, reason): (Ending, Option<&DeclineReason>),
        only: Option<RecipientId>,
    ) -> Result<Option<RecipientId>, ShareAccessError> {
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let gate = find_gate(tx, GateAddress::Token(token.hash()), viewer, false, now)?;
            if !gate.context.is_live(now) {
                return Err(ShareAccessError::NotFound);
            }
            let viewer = gate.viewer.ok_or(ShareAccessError::NotFound)?;
            let share = gate.context.share;
            let progress = gate
                .context
                .progress
                .filter(|progress| only.is_none_or(|only| progress.recipient.id == only))
                .ok_or(ShareAccessError::NotFound)?;
            if ending == Ending::Declined && progress.acceptance.is_some() {
                return Err(ShareAccessError::Agreed);
            }
            let id = progress.recipient.id;
            if progress.recipient.closed_at.is_some() {
                if ending == Ending::Declined && tx.recipients().decline_closed(id, viewer.id)? {
                    declined(tx, &share, id, reason, now)?;
                }
                return Ok(None);
            }
            let is_over = tx.recipients().end_recipient(id, viewer.id, ending, now)?;
            if is_over && ending == Ending::Declined {
                declined(tx, &share, id, reason, now)?;
            }
            // A reader who was shown nothing closed nothing.
            if is_over && ending == Ending::Closed && progress.grant.is_some() {
                let closed = Event::visit_closed(share.idea, share.id, id, now);
                tx.evidence_log().append_event(&closed)?;
            }
            Ok((!is_over).then_some(id))
        })
    }
}

/// Records that a recipient declined the agreement.
fn declined(
    tx: &mut dyn Transaction,
    share: &Share,
    recipient: RecipientId,
    reason: Option<&DeclineReason>,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    if let Some(reason) = reason {
        tx.recipients().add_decline_reason(recipient, reason)?;
    }
    let event = Event::agreement_declined(share.idea, share.id, recipient, now);
    tx.evidence_log().append_event(&event)?;
    add_notice(tx, NoticeKind::Declined, share.id, Some(recipient), now)
}
