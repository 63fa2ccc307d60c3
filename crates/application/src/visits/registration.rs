//! How a person says who they are.

use ideavault_domain::Timestamp;
use ideavault_domain::email::Email;
use ideavault_domain::ids::{RecipientId, ViewerSessionId};
use ideavault_domain::nda::{Agreement, CURRENT_VERSION};
use ideavault_domain::ports::{PortError, Store};
use ideavault_domain::recipient::{Recipient, ViewerSession};
use ideavault_domain::share::ShareState;
use ideavault_domain::text::{PersonName, Phone};
use ideavault_domain::token::Token;

use super::confirmation::CodePace;
use super::scene::{Scene, ShareReference, find_share, live_viewer};
use super::{VisitError, Visits};
use crate::random;

/// What a person types to register.
#[derive(Clone, Copy, Debug)]
pub struct Details<'a> {
    /// Name.
    pub name: &'a str,
    /// Address.
    pub email: &'a str,
    /// Number, optional.
    pub phone: Option<&'a str>,
}

/// A registration, and the key of the browser's viewer session when that is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Who registered.
    pub recipient: Recipient,
    /// To be kept by the browser, if given.
    pub new_viewer_key: Option<Token>,
    /// Whether a code is on its way to the address.
    pub code_sent: bool,
}

impl<S: Store> Visits<S> {
    /// Registers a person on a link and offers the current agreement. A
    /// browser that registers again on the same link starts over there, but
    /// for an address that it has confirmed. Unless it has, an email link
    /// sends a code to the address, if `pace` allows.
    ///
    /// # Errors
    /// [`VisitError::Invalid`], [`VisitError::NotFound`] for a dead link,
    /// [`VisitError::WrongAddress`], or [`VisitError::Paced`].
    pub fn register(
        &self,
        share: &ShareReference,
        details: Details<'_>,
        viewer: Option<&Token>,
        pace: CodePace<'_>,
    ) -> Result<Registered, VisitError> {
        let name = PersonName::parse_recipient(details.name)?;
        let email = Email::parse(details.email)?;
        let phone = Phone::parse_optional(details.phone)?;
        let now = self.clock.now();
        let id = RecipientId::from_random(random::bytes(self.random.as_ref())?);
        let fresh = self.fresh_viewer(now)?;
        let mut wrong_address_on = None;
        let registered = self.store.write(|session| {
            let share = find_share(session, share)?;
            let known = live_viewer(session, viewer, now)?;
            let scene = Scene::of_share(session, share, known.as_ref(), now)?;
            if scene.visit.share.state(now) != ShareState::Active {
                return Err(VisitError::NotFound);
            }
            if !scene.visit.share.admits(&email) {
                wrong_address_on = Some(scene.visit.share.id);
                return Err(VisitError::WrongAddress);
            }
            let (viewer, new_viewer_key) = match known {
                Some(known) => (known, None),
                None => {
                    session.add_viewer_session(&fresh.0)?;
                    (fresh.0, Some(fresh.1))
                }
            };
            let agreement = Agreement {
                version: CURRENT_VERSION.into(),
                idea: scene.disclosed.idea.id,
                idea_title: scene.disclosed.idea.title.clone(),
                document_id: scene
                    .disclosed
                    .idea
                    .status
                    .publication()
                    .map(|publication| publication.document_id.clone()),
                sharer: scene.disclosed.sharer.clone(),
                recipient: name.clone(),
                recipient_email: email.clone(),
                offered_at: now,
            };
            let recipient = Recipient {
                id,
                viewer_session: viewer.id,
                share: scene.visit.share.id,
                name,
                email,
                phone,
                agreement,
                created_at: now,
                identity: scene.known_identity(),
                closed_at: None,
            };
            session.add_recipient(&recipient)?;
            let code_sent = scene.wants_code(&recipient);
            if code_sent {
                self.mail_code(session, &recipient, pace, now)?;
            }
            Ok(Registered {
                recipient,
                new_viewer_key,
                code_sent,
            })
        });
        // In a transaction of its own: that of the registration was undone.
        if let Some(share) = wrong_address_on {
            self.note_refusal(share, None, now)?;
        }
        registered
    }

    fn fresh_viewer(&self, now: Timestamp) -> Result<(ViewerSession, Token), PortError> {
        let key = Token::from_random(random::bytes(self.random.as_ref())?);
        let session = ViewerSession {
            id: ViewerSessionId::from_random(random::bytes(self.random.as_ref())?),
            key_hash: key.hash(),
            created_at: now,
        };
        Ok((session, key))
    }
}
