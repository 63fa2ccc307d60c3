//! Acceptance of the agreement.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::failure::Invalid;
use ideavault_domain::gate::Refusal;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{RecipientId, UserId};
use ideavault_domain::mail::QueuedMail;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{Database, GateAddress, Transaction};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::{NdaAcceptance, Origin, Recipient};
use ideavault_domain::token::Token;

use super::loaded_gate::{RecipientState, find_gate};
use super::viewer_keys::{NextKey, StageChange, move_to, or_repeated};
use super::{ShareAccess, ShareAccessError};
use crate::emails;
use crate::notifications::add_notice;
use crate::recording::agreement_accepted;
use crate::viewers::activate_new_key;

/// How long the mail with a receipt waits, so that the acceptance has its place in the log.
const RECEIPT_DELAY: Duration = Duration::seconds(5);
/// Delivery deadline of that mail, counted from the acceptance.
const RECEIPT_LIFETIME: Duration = Duration::days(3);

impl<S: Database> ShareAccess<S> {
    /// Accepts the agreement that the recipient was offered, and gives the browser a
    /// new key, which alone grants the new access. Accepting again keeps the first
    /// time. Sent again as the same `request`, it gives the same key until that was used.
    ///
    /// # Errors
    /// [`ShareAccessError::Invalid`] unless `agreed`; [`ShareAccessError::NotFound`]
    /// when the recipient does not belong to this browser, or the browser has no
    /// access to the link; [`ShareAccessError::Unconfirmed`] before its address is
    /// confirmed.
    pub fn agree(
        &self,
        id: RecipientId,
        agreed: bool,
        viewer: Option<&Token>,
        origin: Origin,
        request: Option<&IdempotencyKey>,
    ) -> Result<StageChange, ShareAccessError> {
        if !agreed {
            return Err(Invalid::new("agreed", "The agreement can only be accepted").into());
        }
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let named = self.key_of(request, &["agree", &id.to_string()])?;
        or_repeated(named.as_ref(), || {
            self.try_agree(id, viewer, named.as_ref(), &origin)
        })
    }

    fn try_agree(
        &self,
        id: RecipientId,
        viewer: Option<&Token>,
        named: Option<&Token>,
        origin: &Origin,
    ) -> Result<StageChange, ShareAccessError> {
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let next = self.next_key(tx, named, viewer, now)?;
            let address = GateAddress::Recipient(id);
            let gate = find_gate(tx, address, next.or_sent(viewer), false, now)?;
            let decision = gate.context.require_view(now).map(|_| ());
            let progress = gate.context.progress.ok_or(ShareAccessError::NotFound)?;
            let mut recipient = progress.recipient;
            let mut new_viewer_key = None;
            match decision {
                Ok(()) => {
                    if let NextKey::Given(key) = next {
                        new_viewer_key = Some(key);
                    }
                }
                Err(Refusal::NotAgreed) => {
                    new_viewer_key = Some(move_to(tx, &mut recipient, viewer, next)?);
                    let acceptance = NdaAcceptance {
                        recipient: id,
                        share: recipient.share,
                        nda_version: recipient.agreement.version,
                        nda_sha256: recipient.agreement.digest(),
                        revision: gate.disclosed.idea.revision,
                        revision_sha256: gate.disclosed.idea.sha256,
                        identity: recipient.identity,
                        accepted_at: now,
                        origin: Some(origin.clone()),
                    };
                    let is_new = tx.recipients().add_acceptance(&acceptance)?;
                    if is_new {
                        agreement_accepted(tx, &recipient, &acceptance)?;
                        add_notice(tx, NoticeKind::Agreed, recipient.share, Some(id), now)?;
                        let owner = gate.disclosed.idea.owner;
                        self.mail_receipt(tx, &recipient, owner, origin, now)?;
                    }
                }
                Err(
                    refusal @ (Refusal::Ended
                    | Refusal::UsedUp
                    | Refusal::Unregistered
                    | Refusal::Unconfirmed),
                ) => return Err(refusal.into()),
            }
            Ok(StageChange {
                state: RecipientState {
                    recipient,
                    agreed: true,
                },
                new_viewer_key,
            })
        })
    }

    /// Queues the mail with the receipt. Only a confirmed address gets it: anybody can enter
    /// another's, who must not read the idea's title. Beyond the daily cap the receipt is on the
    /// page only.
    fn mail_receipt(
        &self,
        tx: &mut dyn Transaction,
        recipient: &Recipient,
        owner: UserId,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        if recipient.identity.confirmed_at().is_none() {
            return Ok(());
        }
        let (limit, limits) = (RateLimit::ReceiptsOfOwner, &self.deps.limits);
        let mails = LimitKey::common(owner, origin.network());
        let reached = limits.counted_or_until::<ShareAccessError>(tx, limit, &mails, now)?;
        if reached.is_some() {
            return Ok(());
        }
        let mail = emails::receipt(self.email_composer.links(), recipient, now);
        let queued = QueuedMail {
            first_attempt_at: now + RECEIPT_DELAY,
            ..self
                .email_composer
                .compose_for_reader(recipient.id, mail, now, RECEIPT_LIFETIME)?
        };
        Ok(tx.outbox().queue_mail(&queued)?)
    }
}
