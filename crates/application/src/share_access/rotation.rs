//! New keys for a recipient's browser.
//!
//! Invariant: what a browser may newly see, it sees under a key that nobody can have
//! known before. Somebody else could have put the former one into that browser.

use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{ShareId, ViewerSessionId};
use ideavault_domain::ports::{Database, PortError, Transaction};
use ideavault_domain::recipient::{Recipient, ViewerSession};
use ideavault_domain::token::Token;

use super::loaded_gate::RecipientState;
use super::{ShareAccess, ShareAccessError};
use crate::random;

/// Asked before something that may be done to a link only so often.
pub type ShareRateLimit<'a> = &'a dyn Fn(ShareId) -> Result<(), Failure>;

/// A recipient who got further, and the key by which its browser is known from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// How far it is.
    pub state: RecipientState,
    /// To be kept by the browser; none when nothing has changed.
    pub new_viewer_key: Option<Token>,
}

impl<S: Database> ShareAccess<S> {
    pub(super) fn fresh_viewer(&self, now: Timestamp) -> Result<(ViewerSession, Token), PortError> {
        let key = Token::from_random(random::bytes(self.random.as_ref())?);
        let tx = ViewerSession {
            id: ViewerSessionId::from_random(random::bytes(self.random.as_ref())?),
            key_hash: key.hash(),
            created_at: now,
            replaces: None,
        };
        Ok((tx, key))
    }
}

/// Gives an open registration to a fresh session alone, at once; the rest of its
/// browser follows when the new key is used.
pub(super) fn move_to(
    tx: &mut dyn Transaction,
    recipient: &mut Recipient,
    (mut fresh, key): (ViewerSession, Token),
) -> Result<Token, ShareAccessError> {
    let former = recipient.viewer_session;
    fresh.replaces = Some(former);
    tx.recipients().add_viewer_session(&fresh)?;
    if !tx
        .recipients()
        .move_recipient(recipient.id, former, fresh.id)?
    {
        return Err(ShareAccessError::NotFound);
    }
    recipient.viewer_session = fresh.id;
    Ok(key)
}
