//! Registration of a recipient on a link.

use ideavault_domain::Timestamp;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::Event;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{RecipientId, ShareId};
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{Database, RateLimited, Transaction};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::{Erasure, Origin, Recipient};
use ideavault_domain::text::{PersonName, Phone};
use ideavault_domain::token::Token;

use super::loaded_gate::{ShareReference, find_gate, known_identity, offered_to};
use super::viewer_keys::{NextKey, of_browser};
use super::{ShareAccess, ShareAccessError};
use crate::notifications::add_notice;
use crate::random;
use crate::rate_limits::AdmitOnce;
use crate::viewers::activate_new_key;

/// The registration form of a recipient.
#[derive(Clone, Copy, Debug)]
pub struct RegistrationForm<'a> {
    /// Name.
    pub name: &'a str,
    /// Email address.
    pub email: &'a str,
    /// Phone number, optional.
    pub phone: Option<&'a str>,
}

/// A registration and the browser's new key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The new recipient.
    pub recipient: Recipient,
    /// The new viewer key, for the browser's cookie.
    pub new_viewer_key: Token,
}

impl<S: Database> ShareAccess<S> {
    /// Registers a person on a link, and offers the current agreement. Registering again
    /// in the same browser starts over on that link, but keeps a confirmed address and
    /// does not give another view where the browser had its one view. On an email link,
    /// an unconfirmed address is sent a code. The browser gets a new key each time. Sent again as
    /// the same `request`, it registers nobody and gives the same key until that was replaced.
    ///
    /// # Errors
    /// [`ShareAccessError::Invalid`], [`ShareAccessError::NotFound`] for an invalid
    /// link, [`ShareAccessError::WrongAddress`], or [`ShareAccessError::RateLimited`].
    pub fn register(
        &self,
        share: &ShareReference,
        form: RegistrationForm<'_>,
        viewer: Option<&Token>,
        origin: &Origin,
        request: Option<&IdempotencyKey>,
    ) -> Result<Registration, ShareAccessError> {
        let name = PersonName::parse_recipient(form.name)?;
        let email = Email::parse(form.email)?;
        let phone = Phone::parse_optional(form.phone)?;
        let now = self.deps.clock.now();
        let id = RecipientId::from_random(random::bytes(self.deps.random.as_ref())?);
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let link = match share {
            ShareReference::Token(token) => token.reveal(),
            ShareReference::Id(id) => id.to_string(),
        };
        let phone_number = phone.as_ref().map_or("", Phone::as_str);
        let details = [name.as_str(), email.as_str(), phone_number];
        let named = self.key_of(
            request,
            &[["register", &link].as_slice(), &details].concat(),
        )?;
        let mut wrong_address_on = None;
        let mut registering = AdmitOnce::new(self.deps.limits.here());
        let mut mailing = AdmitOnce::new(self.deps.limits.here());
        let registered = self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let (new_session, new_viewer_key) =
                match self.next_key(tx, named.as_ref(), viewer, now)? {
                    NextKey::New(session, key) => (session, key),
                    NextKey::Given(key) => return registered_before(tx, share, key, now),
                };
            let gate = find_gate(tx, share.into(), viewer, false, now)?;
            if !gate.context.admits_registration(now) {
                return Err(ShareAccessError::NotFound);
            }
            if !gate.context.share.admits(&email) {
                wrong_address_on = Some(gate.context.share.id);
                return Err(ShareAccessError::WrongAddress);
            }
            let mut session = of_browser(tx, new_session, viewer)?;
            session.replaces = gate.viewer.as_ref().map(|known| known.id);
            // First, so that of repetitions at once only one counts.
            tx.recipients().add_viewer_session(&session)?;
            admit_registration(&mut registering, gate.context.share.id, origin)?;
            let agreement = offered_to(&gate, name.clone(), email.clone(), now);
            let recipient = Recipient {
                erasure: Erasure::default(),
                id,
                viewer_session: session.id,
                share: gate.context.share.id,
                name: name.clone(),
                email: email.clone(),
                phone: phone.clone(),
                agreement,
                created_at: now,
                identity: known_identity(&gate.context),
                closed_at: None,
            };
            tx.recipients().add_recipient(&recipient)?;
            let offered = Event::agreement_offered(&recipient, Some(origin));
            tx.evidence_log().append_event(&offered)?;
            if !gate.context.share.accepts(recipient.identity) {
                let owner = gate.disclosed.idea.owner;
                self.mail_code(tx, &mut mailing, owner, &recipient, origin, now)?;
            }
            Ok(Registration {
                recipient,
                new_viewer_key,
            })
        });
        // In a transaction of its own, because the registration was rolled back.
        if let Some(share) = wrong_address_on {
            let database = &self.deps.database;
            database.write(|tx| add_notice(tx, NoticeKind::WrongAddress, share, None, now))?;
        }
        registered
    }
}

/// Returns the registration for which a browser was given that key.
fn registered_before(
    tx: &mut dyn Transaction,
    share: &ShareReference,
    key: Token,
    now: Timestamp,
) -> Result<Registration, ShareAccessError> {
    let gate = find_gate(tx, share.into(), Some(&key), false, now)?.context;
    let registered = gate
        .open_registration()
        .filter(|_| gate.admits_registration(now))
        .ok_or(ShareAccessError::NotFound)?;
    Ok(Registration {
        recipient: registered.recipient.clone(),
        new_viewer_key: key,
    })
}

/// Counts a registration by client, and the client towards the limit of all, so that nobody can
/// exhaust that for others by registering again and again.
fn admit_registration(
    registering: &mut AdmitOnce<'_>,
    share: ShareId,
    origin: &Origin,
) -> Result<(), RateLimited> {
    let client = origin.network();
    registering.admit(&[
        (
            RateLimit::RegistrationsByAddress,
            LimitKey::client_on(client, share),
        ),
        (RateLimit::Recipients, LimitKey::common(share, client)),
    ])
}
