//! How a person says who they are.

use ideavault_domain::email::Email;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::nda::{Agreement, CURRENT_VERSION};
use ideavault_domain::ports::Store;
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::ShareState;
use ideavault_domain::text::{PersonName, Phone};
use ideavault_domain::token::Token;

use super::rotation::SharePace;
use super::scene::{Scene, ShareReference, find_share, live_viewer};
use super::{VisitError, Visits};
use crate::gate::settle;
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

/// A registration, and the key by which its browser is known from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Who registered.
    pub recipient: Recipient,
    /// To be kept by the browser.
    pub new_viewer_key: Token,
    /// Whether a code is on its way to the address.
    pub code_sent: bool,
}

impl<S: Store> Visits<S> {
    /// Registers a person on a link, if `pace` allows, and offers the current
    /// agreement. A browser that registers again on the same link starts over there,
    /// but for an address that it has confirmed, and not where it had its one view.
    /// Unless it has confirmed it, an email link sends a code to the address, if
    /// `code_pace` allows. The browser gets another key each time.
    ///
    /// # Errors
    /// [`VisitError::Invalid`], [`VisitError::NotFound`] for a dead link,
    /// [`VisitError::WrongAddress`], or [`VisitError::Paced`].
    pub fn register(
        &self,
        share: &ShareReference,
        details: Details<'_>,
        viewer: Option<&Token>,
        pace: SharePace<'_>,
        code_pace: SharePace<'_>,
    ) -> Result<Registered, VisitError> {
        let name = PersonName::parse_recipient(details.name)?;
        let email = Email::parse(details.email)?;
        let phone = Phone::parse_optional(details.phone)?;
        let now = self.clock.now();
        let id = RecipientId::from_random(random::bytes(self.random.as_ref())?);
        settle(self.store.as_ref(), viewer, now)?;
        let (mut fresh, new_viewer_key) = self.fresh_viewer(now)?;
        let mut wrong_address_on = None;
        let registered = self.store.write(|session| {
            let share = find_share(session, share)?;
            let known = live_viewer(session, viewer, now)?;
            let scene = Scene::of_share(session, share, known.as_ref(), now)?;
            if scene.visit.share.state(now) != ShareState::Active || scene.visit.one_view_is_spent()
            {
                return Err(VisitError::NotFound);
            }
            if !scene.visit.share.admits(&email) {
                wrong_address_on = Some(scene.visit.share.id);
                return Err(VisitError::WrongAddress);
            }
            pace(scene.visit.share.id).map_err(VisitError::Paced)?;
            fresh.replaces = known.map(|known| known.id);
            session.add_viewer_session(&fresh)?;
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
                viewer_session: fresh.id,
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
                self.mail_code(session, &recipient, code_pace, now)?;
            }
            Ok(Registered {
                recipient,
                new_viewer_key: new_viewer_key.clone(),
                code_sent,
            })
        });
        // In a transaction of its own: that of the registration was undone.
        if let Some(share) = wrong_address_on {
            self.note_refusal(share, None, now)?;
        }
        registered
    }
}
