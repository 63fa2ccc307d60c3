//! Confirmation of a recipient's address on an email link.

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::code::{CODE_LIFETIME, EmailCode, OneTimeCode};
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::Invalid;
use ideavault_domain::gate::Refusal;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{RecipientId, UserId};
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{Database, FoundGate, GateAddress, RateLimited, Transaction};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::{Ending, Identity, Origin, Recipient};
use ideavault_domain::share::ShareType;
use ideavault_domain::token::Token;

use super::loaded_gate::{PendingCode, RecipientState, find_gate, offered_now};
use super::viewer_keys::{NextKey, StageChange, move_to, or_repeated};
use super::{ShareAccess, ShareAccessError};
use crate::notifications::add_notice;
use crate::rate_limits::AdmitOnce;
use crate::viewers::activate_new_key;
use crate::{emails, random};

/// Most former acceptances of a link that are compared with what it offers now.
const ACCEPTANCES_COMPARED: i64 = 20;

/// The result of an attempt.
enum Verdict {
    Confirmed(Box<StageChange>),
    Wrong { attempts_left: i32 },
    Denied,
}

impl<S: Database> ShareAccess<S> {
    /// Confirms the recipient's address with the mailed code, and gives the browser a
    /// new key. Each call with six digits uses up one attempt. Sent again as the same `request`
    /// after it was right, it uses up none and gives the same key until that was used.
    ///
    /// # Errors
    /// [`ShareAccessError::Invalid`] on `code` when it is wrong, used up or expired;
    /// [`ShareAccessError::NotFound`] when the recipient does not belong to this
    /// browser, or the browser has no access to the link;
    /// [`ShareAccessError::NoCodeRequired`] on other links.
    pub fn verify(
        &self,
        id: RecipientId,
        code: &str,
        viewer: Option<&Token>,
        origin: Origin,
        request: Option<&IdempotencyKey>,
    ) -> Result<StageChange, ShareAccessError> {
        let code = OneTimeCode::parse(code)?;
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let named = self.key_of(request, &["verify", &id.to_string(), code.reveal()])?;
        let verdict = or_repeated(named.as_ref(), || {
            self.try_verify(id, &code, viewer, named.as_ref(), &origin)
        })?;
        match verdict {
            Verdict::Confirmed(state) => Ok(*state),
            Verdict::Denied | Verdict::Wrong { attempts_left: 0 } => Err(refusal(
                "This code no longer works. Please request a new one.",
            )),
            Verdict::Wrong { attempts_left: 1 } => {
                Err(refusal("That code is not right. You have one try left."))
            }
            Verdict::Wrong { attempts_left } => Err(refusal(format!(
                "That code is not right. You have {attempts_left} tries left."
            ))),
        }
    }

    fn try_verify(
        &self,
        id: RecipientId,
        code: &OneTimeCode,
        viewer: Option<&Token>,
        named: Option<&Token>,
        origin: &Origin,
    ) -> Result<Verdict, ShareAccessError> {
        // A wrong guess must commit to be counted; the call fails afterwards.
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let next = self.next_key(tx, named, viewer, now)?;
            let (gate, recipient) = waiting(tx, id, next.or_sent(viewer), now)?;
            let Some(mut recipient) = recipient else {
                if let (NextKey::Given(key), Some(progress)) = (next, gate.context.progress) {
                    return Ok(Verdict::Confirmed(Box::new(StageChange {
                        state: RecipientState::of(progress),
                        new_viewer_key: Some(key),
                    })));
                }
                return Err(match gate.context.share.terms.share_type() {
                    ShareType::Email => refusal("Your email address is already confirmed."),
                    _ => ShareAccessError::NoCodeRequired,
                });
            };
            let refused = AuditEntry {
                at: now,
                kind: AuditKind::CodeRefused,
                account: None,
                subject: Some(Subject::Recipient(id)),
                origin: Some(origin.clone()),
            };
            let Some(sent) = tx.codes().try_code(id, now)? else {
                if let Some(named) = named
                    && tx.recipients().browser_of(&named.hash())?.is_some()
                {
                    // The same request has used it meanwhile.
                    return Err(ShareAccessError::NotFound);
                }
                tx.audit().record_denial(&refused)?;
                return Ok(Verdict::Denied);
            };
            if !self.codes.matches(id, code, &sent.hash)? {
                tx.audit().record_denial(&refused)?;
                if sent.attempts_left() == 0 {
                    let share = gate.context.share.id;
                    add_notice(tx, NoticeKind::WrongCode, share, None, now)?;
                }
                return Ok(Verdict::Wrong {
                    attempts_left: sent.attempts_left(),
                });
            }
            let key = move_to(tx, &mut recipient, viewer, next)?;
            tx.codes().confirm_email(id, now)?;
            recipient.identity = Identity::EmailConfirmed { at: now };
            let confirmed = Event::email_confirmed(&recipient, now);
            tx.evidence_log().append_event(&confirmed)?;
            let mut agreed = false;
            if let Some(known) = accepted_before(tx, &gate, &recipient, now)? {
                let session = recipient.viewer_session;
                tx.recipients()
                    .end_recipient(id, session, Ending::Replaced, now)?;
                if tx.recipients().reopen_recipient(known.id, session)? {
                    (recipient, agreed) = (known, true);
                }
            }
            Ok(Verdict::Confirmed(Box::new(StageChange {
                state: RecipientState { recipient, agreed },
                new_viewer_key: Some(key),
            })))
        })
    }

    /// Mails another code; the previous code becomes invalid.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when the recipient does not belong to this
    /// browser, or the browser has no access to the link;
    /// [`ShareAccessError::NoCodeRequired`] when there is nothing to confirm;
    /// [`ShareAccessError::RateLimited`].
    pub fn send_code(
        &self,
        id: RecipientId,
        viewer: Option<&Token>,
        origin: &Origin,
    ) -> Result<PendingCode, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let mut mailing = AdmitOnce::new(self.deps.limits.here());
        self.deps.database.write(|tx| {
            let (gate, recipient) = waiting(tx, id, viewer, now)?;
            let recipient = recipient.ok_or(ShareAccessError::NoCodeRequired)?;
            let sent = self.mail_code(
                tx,
                &mut mailing,
                gate.disclosed.idea.owner,
                &recipient,
                origin,
                now,
            )?;
            Ok(PendingCode::of(Some(&sent), now))
        })
    }

    /// Creates a code and queues its mail, in one transaction. Call it last: the count of
    /// the owner's mails stays locked until the commit.
    pub(super) fn mail_code(
        &self,
        tx: &mut dyn Transaction,
        mailing: &mut AdmitOnce<'_>,
        owner: UserId,
        recipient: &Recipient,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<EmailCode, ShareAccessError> {
        admit_code(mailing, recipient, origin)?;
        let code = OneTimeCode::from_random(random::bytes(self.deps.random.as_ref())?);
        let sent = EmailCode::new(recipient.id, self.codes.hash(recipient.id, &code)?, now);
        let mail = emails::confirmation_code(self.email_composer.links(), recipient, &code);
        tx.codes().replace_code(&sent)?;
        tx.outbox()
            .queue_mail(&self.email_composer.compose_for_reader(
                recipient.id,
                mail,
                now,
                CODE_LIFETIME,
            )?)?;
        let (limit, limits) = (RateLimit::CodesOfOwner, &self.deps.limits);
        let mails = LimitKey::common(owner, origin.network());
        limits.count::<ShareAccessError>(tx, limit, &mails, now)?;
        Ok(sent)
    }
}

/// Counts a code by recipient, client and link, for an hour and for a day.
fn admit_code(
    mailing: &mut AdmitOnce<'_>,
    recipient: &Recipient,
    origin: &Origin,
) -> Result<(), RateLimited> {
    let client = origin.network();
    let own = LimitKey::client_on(client, recipient.share);
    let of_link = LimitKey::common(recipient.share, client);
    mailing.admit(&[
        (RateLimit::CodesByRecipient, LimitKey::of(recipient.id)),
        (RateLimit::CodesByAddressAndDay, own.clone()),
        (RateLimit::CodesByDay, of_link.clone()),
        (RateLimit::CodesByAddress, own),
        (RateLimit::Codes, of_link),
    ])
}

/// Loads the gate of a recipient of this browser, and the recipient if it needs a
/// code.
fn waiting(
    tx: &mut dyn Transaction,
    id: RecipientId,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<(FoundGate, Option<Recipient>), ShareAccessError> {
    let gate = find_gate(tx, GateAddress::Recipient(id), viewer, false, now)?;
    let progress = gate.context.progress.as_ref();
    let recipient = progress.map(|progress| progress.recipient.clone());
    match gate.context.require_view(now) {
        Err(Refusal::Unconfirmed) => Ok((gate, recipient)),
        Err(Refusal::NotAgreed) | Ok(_) => Ok((gate, None)),
        Err(refusal @ (Refusal::Ended | Refusal::UsedUp | Refusal::Unregistered)) => {
            Err(refusal.into())
        }
    }
}

/// Returns the registration on the same link in which the same person, whose address was confirmed,
/// has accepted the same text: they read on in it.
fn accepted_before(
    tx: &mut dyn Transaction,
    gate: &FoundGate,
    recipient: &Recipient,
    now: Timestamp,
) -> Result<Option<Recipient>, ShareAccessError> {
    let offered = offered_now(gate, recipient, now);
    let known = tx
        .recipients()
        .confirmed_acceptances(recipient.share, ACCEPTANCES_COMPARED)?;
    let mut known = known.into_iter();
    Ok(known.find(|known| known.agreement.says_the_same_as(&offered)))
}

fn refusal(message: impl Into<String>) -> ShareAccessError {
    Invalid::new("code", message).into()
}
