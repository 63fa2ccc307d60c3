//! New keys for a recipient's browser.
//!
//! Invariant: what a browser may newly see, it sees under a key that nobody can have
//! known before. Somebody else could have put the former one into that browser.

use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{ShareId, ViewerSessionId};
use ideavault_domain::ports::{PortError, Session, Store};
use ideavault_domain::recipient::{Recipient, ViewerSession};
use ideavault_domain::token::Token;

use super::scene::RecipientState;
use super::{VisitError, Visits};
use crate::random;

/// Asked before something that may be done to a link only so often.
pub type SharePace<'a> = &'a dyn Fn(ShareId) -> Result<(), Failure>;

/// A recipient who got further, and the key by which its browser is known from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// How far it is.
    pub state: RecipientState,
    /// To be kept by the browser; none when nothing has changed.
    pub new_viewer_key: Option<Token>,
}

impl<S: Store> Visits<S> {
    pub(super) fn fresh_viewer(&self, now: Timestamp) -> Result<(ViewerSession, Token), PortError> {
        let key = Token::from_random(random::bytes(self.random.as_ref())?);
        let session = ViewerSession {
            id: ViewerSessionId::from_random(random::bytes(self.random.as_ref())?),
            key_hash: key.hash(),
            created_at: now,
            replaces: None,
        };
        Ok((session, key))
    }
}

/// Gives an open registration to a fresh session alone, at once; the rest of its
/// browser follows when the new key is used.
pub(super) fn move_to(
    session: &mut dyn Session,
    recipient: &mut Recipient,
    (mut fresh, key): (ViewerSession, Token),
) -> Result<Token, VisitError> {
    let former = recipient.viewer_session;
    fresh.replaces = Some(former);
    session.add_viewer_session(&fresh)?;
    if !session.move_recipient(recipient.id, former, fresh.id)? {
        return Err(VisitError::NotFound);
    }
    recipient.viewer_session = fresh.id;
    Ok(key)
}
