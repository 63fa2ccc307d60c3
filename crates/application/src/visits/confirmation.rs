//! How a recipient of an email link proves to read the mails of its address.

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::code::{CODE_LIFETIME, OneTimeCode, SentCode};
use ideavault_domain::failure::Invalid;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{Session, Store};
use ideavault_domain::recipient::{Identity, Origin, Recipient};
use ideavault_domain::share::ShareType;
use ideavault_domain::token::Token;
use ideavault_domain::visit::Access;

use super::rotation::{Advanced, SharePace, move_to};
use super::scene::{PendingCode, RecipientState, Scene, own_registration};
use super::{VisitError, Visits};
use crate::gate::settle;
use crate::notifications::note;
use crate::{letters, random};

/// What became of a try.
enum Verdict {
    Confirmed(Box<Advanced>),
    Wrong { tries_left: i32 },
    Dead,
}

impl<S: Store> Visits<S> {
    /// Confirms the recipient's address with the code that was mailed to it, and gives
    /// the browser another key.
    /// Each call with six digits uses one try up.
    ///
    /// # Errors
    /// [`VisitError::Invalid`] on `code` when it is wrong, used up or too old;
    /// [`VisitError::NotFound`] when the recipient is not of this browser, or
    /// the link is dead for it; [`VisitError::NoCodeWanted`] on other links.
    pub fn verify(
        &self,
        id: RecipientId,
        code: &str,
        viewer: Option<&Token>,
        origin: Origin,
    ) -> Result<Advanced, VisitError> {
        let code = OneTimeCode::parse(code)?;
        let now = self.clock.now();
        settle(self.store.as_ref(), viewer, now)?;
        let fresh = self.fresh_viewer(now)?;
        // A wrong guess has to commit, so that it counts; only then it fails.
        let verdict = self.store.write(|session| {
            let (scene, recipient) = waiting(session, id, viewer, now)?;
            let Some(mut recipient) = recipient else {
                return Err(match scene.visit.share.terms.share_type {
                    ShareType::Email => refusal("Your email address is already confirmed."),
                    _ => VisitError::NoCodeWanted,
                });
            };
            let refused = AuditEntry {
                at: now,
                kind: AuditKind::CodeRefused,
                account: None,
                subject: Some(Subject::Recipient(id)),
                origin: Some(origin),
            };
            let Some(sent) = session.try_code(id, now)? else {
                session.record_denial(&refused)?;
                return Ok(Verdict::Dead);
            };
            if !self.codes.matches(id, &code, &sent.hash)? {
                session.record_denial(&refused)?;
                if sent.tries_left() == 0 {
                    let share = scene.visit.share.id;
                    note(session, NoticeKind::Refused, share, None, now)?;
                }
                return Ok(Verdict::Wrong {
                    tries_left: sent.tries_left(),
                });
            }
            let key = move_to(session, &mut recipient, fresh)?;
            session.confirm_email(id, now)?;
            recipient.identity = Identity::EmailConfirmed { at: now };
            Ok(Verdict::Confirmed(Box::new(Advanced {
                state: RecipientState {
                    recipient,
                    agreed: scene.agreed(),
                },
                new_viewer_key: Some(key),
            })))
        })?;
        match verdict {
            Verdict::Confirmed(state) => Ok(*state),
            Verdict::Dead | Verdict::Wrong { tries_left: 0 } => Err(refusal(
                "This code no longer works. Please request a new one.",
            )),
            Verdict::Wrong { tries_left: 1 } => {
                Err(refusal("That code is not right. You have one try left."))
            }
            Verdict::Wrong { tries_left } => Err(refusal(format!(
                "That code is not right. You have {tries_left} tries left."
            ))),
        }
    }

    /// Mails another code, if `pace` allows; the one before stops working.
    ///
    /// # Errors
    /// [`VisitError::NotFound`] when the recipient is not of this browser, or
    /// the link is dead for it; [`VisitError::NoCodeWanted`] when there is
    /// nothing to confirm; [`VisitError::Paced`].
    pub fn send_code(
        &self,
        id: RecipientId,
        viewer: Option<&Token>,
        pace: SharePace<'_>,
    ) -> Result<PendingCode, VisitError> {
        let now = self.clock.now();
        settle(self.store.as_ref(), viewer, now)?;
        self.store.write(|session| {
            let (_, recipient) = waiting(session, id, viewer, now)?;
            let recipient = recipient.ok_or(VisitError::NoCodeWanted)?;
            let sent = self.mail_code(session, &recipient, pace, now)?;
            Ok(PendingCode::of(Some(&sent), now))
        })
    }

    /// Makes a code and puts it into the mail, both or neither.
    pub(super) fn mail_code(
        &self,
        session: &mut dyn Session,
        recipient: &Recipient,
        pace: SharePace<'_>,
        now: Timestamp,
    ) -> Result<SentCode, VisitError> {
        pace(recipient.share).map_err(VisitError::Paced)?;
        let code = OneTimeCode::from_random(random::bytes(self.random.as_ref())?);
        let sent = SentCode::new(recipient.id, self.codes.hash(recipient.id, &code)?, now);
        let sharer = &recipient.agreement.sharer;
        let letter =
            letters::confirmation_code(self.postbox.links(), &recipient.email, sharer, &code);
        session.put_code(&sent)?;
        session.queue_mail(&self.postbox.seal(&letter, now, CODE_LIFETIME)?)?;
        Ok(sent)
    }
}

/// The scene of a recipient of this browser, and the recipient as far as a
/// code is wanted from it.
fn waiting(
    session: &mut dyn Session,
    id: RecipientId,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<(Scene, Option<Recipient>), VisitError> {
    let found = own_registration(session, id, viewer, now)?;
    let recipient = found.guest.recipient.clone();
    let scene = Scene::of_guest(session, found.share, Some(found.guest))?;
    match scene.visit.access(now) {
        Access::Dead | Access::Collect => Err(VisitError::NotFound),
        Access::Verify => Ok((scene, Some(recipient))),
        Access::Nda | Access::Claimable | Access::Viewing { .. } => Ok((scene, None)),
    }
}

fn refusal(message: impl Into<String>) -> VisitError {
    Invalid::new("code", message).into()
}

#[cfg(test)]
mod tests;
